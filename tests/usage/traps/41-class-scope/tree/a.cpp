struct own { void nvshmem_a(); void f() { nvshmem_a(); } void g(); };
void own::g() { nvshmem_a(); ::nvshmem_a(); }
void h() { nvshmem_a(); }
struct base { void nvshmem_b(); };
struct derived : base { void f() { nvshmem_b(); } };
struct other { void f() { nvshmem_b(); } };
