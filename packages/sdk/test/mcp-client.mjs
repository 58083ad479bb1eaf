// Calls tools of `heliograph mcp` as a program of a language model does, and writes the answers as JSON.
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';

const [args, calls] = process.argv.slice(2).map((text) => JSON.parse(text));
const client = new Client({ name: 'test', version: '1' });
await client.connect(
  new StdioClientTransport({
    command: 'node_modules/.bin/heliograph',
    args: ['mcp', ...args],
    env: process.env,
  }),
);
const { tools } = await client.listTools();
const answers = [];
for (const [name, given] of calls) {
  const { content, isError = false } = await client.callTool({ name, arguments: given });
  answers.push({ isError, text: content[0].text });
}
await client.close();
console.log(JSON.stringify({ tools: tools.map(({ name }) => name), answers }));
