// The official TypeScript client against a server: typescript.mjs MODE PROGRAM [ARGUMENT...]
// MODE: auto or a revision for the new package, classic for the old SDK.
import assert from 'node:assert/strict';

const [, , mode, command, ...args] = process.argv;
const info = { name: 'shmemlore-test', version: '1' };
let client, transport, skills;
if (mode === 'classic') {
  const { Client } = await import('@modelcontextprotocol/sdk/client/index.js');
  const { StdioClientTransport } = await import('@modelcontextprotocol/sdk/client/stdio.js');
  client = new Client(info);
  transport = new StdioClientTransport({ command, args });
} else {
  const { Client } = await import('@modelcontextprotocol/client');
  const { StdioClientTransport } = await import('@modelcontextprotocol/client/stdio');
  const { SkillsClient } = await import('@modelcontextprotocol/client/ext/skills');
  client = new Client(info, mode === 'legacy' ? {} : { versionNegotiation: { mode: 'auto' } });
  transport = new StdioClientTransport({ command, args });
  skills = new SkillsClient(client);
}
await client.connect(transport);
assert.equal(client.getServerVersion().name, 'shmemlore');
assert.match(client.getInstructions(), /ask/);

const { tools } = await client.listTools();
assert.deepEqual(tools.map((t) => t.name), ['ask', 'show', 'symbol', 'env', 'upgrade', 'verify_citation']);
const call = async (name, given) => client.callTool({ name, arguments: given });
const ask = await call('ask', { question: 'what does fence give that quiet does not' });
assert.equal(ask.structuredContent.found, true); // checked by outputSchema in the client
assert.ok(ask.content.some((b) => b.type === 'resource_link'));
assert.equal((await call('ask', {})).isError, true);
await assert.rejects(call('nope', {}));
for (const [name, given] of [
  ['show', { ref: 'nvshmem:src/host/init/init.cu:266-269' }], ['symbol', { name: 'nvshmem_float_put' }],
  ['symbol', { name: 'nvshmem_*' }], ['env', { name: 'SYMMETRIC_SIZE' }],
  ['verify_citation', { citation: 'nvshmem:src/host/init/init.cu:266-269' }],
  ['upgrade', { from: '3.4.5', to: '3.8.0', files: [{ path: 'a.cu', text: 'int x = nvshmem_my_pe();' }] }],
]) assert.notEqual((await call(name, given)).isError, true, name);

let count = 0;
for (let cursor; ;) {
  const page = await client.listResources(cursor ? { cursor } : {});
  count += page.resources.length;
  if (!(cursor = page.nextCursor)) break;
}
const uri = ask.content.find((b) => b.type === 'resource_link').uri;
assert.ok((await client.readResource({ uri })).contents[0].text);
await assert.rejects(client.readResource({ uri: 'shmemlore://section/no/such' }));
const { resourceTemplates } = await client.listResourceTemplates();
const { prompts } = await client.listPrompts();
await client.getPrompt({ name: 'debug_hang', arguments: { symptom: 'hangs in barrier' } });
const { completion } = await client.complete({
  ref: { type: 'ref/resource', uri: 'shmemlore://symbol/{name}' }, argument: { name: 'name', value: 'nvshmem_float_p' } });
assert.ok(completion.values.includes('nvshmem_float_put'));
let verified = 0;
if (skills?.supported) {
  const { skills: listed, invalid } = await skills.list();
  assert.equal(invalid?.length ?? 0, 0);
  for (const file of listed[0].resources) {
    const read = await skills.read(listed[0], file.uri);
    assert.equal(read.verified, true);
    verified++;
  }
  assert.ok((await skills.readDirectory('skill://nvshmem/references')).resources.length > 3);
}
const revision = client.getNegotiatedProtocolVersion?.() ?? transport._protocolVersion ?? '(not told)';
console.log(`${mode}: ${revision}, ${tools.length} tools, ${count} resources, ${resourceTemplates.length} templates, ` +
  `${prompts.length} prompts, ${verified} skill files verified`);
await client.close();
