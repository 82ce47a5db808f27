def test(monkeypatch):
    monkeypatch.setenv("NVSHMEM_QP_DEPTH", "2048")
    monkeypatch.delenv("NVSHMEM_DEBUG", raising=False)
