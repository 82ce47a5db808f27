def emit(op):
    body = "    nvshmem_quiet();\n"
    body += f"nvshmemx_{op}_block(dst, src);"
    name = f"nvshmemx_{op}_warp"
    return body, "nvshmem_fence({})".format(op), name
