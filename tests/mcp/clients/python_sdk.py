"""The official Python SDK against a server: python_sdk.py MODE PROGRAM [ARGUMENT...]; MODE: legacy, auto or a revision."""

import asyncio
import sys

from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client


async def main(mode, command, *args):
    transport = stdio_client(StdioServerParameters(command=command, args=list(args)))
    async with Client(transport, mode=mode) as client:
        tools = (await client.list_tools()).tools
        assert [t.name for t in tools] == ["ask", "show", "symbol", "env", "upgrade", "verify_citation"], tools
        answer = await client.call_tool("ask", {"question": "what does fence give that quiet does not"})
        assert not answer.is_error and answer.structured_content["found"]
        assert (await client.call_tool("ask", {})).is_error
        for name, given in [("show", {"ref": "00-start-here"}), ("symbol", {"name": "nvshmem_float_put"}),
                            ("env", {"name": "SYMMETRIC_SIZE"}),
                            ("verify_citation", {"citation": "nvshmem:src/host/init/init.cu:266-269"}),
                            ("upgrade", {"from": "3.4.5", "to": "3.8.0", "files": [{"path": "a.cu", "text": "int x;"}]})]:
            assert not (await client.call_tool(name, given)).is_error, name
        count, cursor = 0, None
        while True:
            page = await client.list_resources(cursor=cursor)
            count += len(page.resources)
            cursor = page.next_cursor
            if not cursor:
                break
        read = await client.read_resource("skill://nvshmem/SKILL.md")
        assert "name: nvshmem" in read.contents[0].text
        templates = (await client.list_resource_templates()).resource_templates
        prompts = (await client.list_prompts()).prompts
        await client.get_prompt("debug_hang", {"symptom": "hangs in barrier"})
        print(f"python {mode}: {client.protocol_version}, {len(tools)} tools, {count} resources, {len(templates)} templates, "
              f"{len(prompts)} prompts")


asyncio.run(main(*sys.argv[1:]))
