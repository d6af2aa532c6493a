import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { StreamMessageReader, StreamMessageWriter, createMessageConnection } from 'vscode-jsonrpc/node.js';

export interface Completion {
  readonly label: string;
  readonly insertText?: string;
  readonly documentation?: string | { readonly value: string };
}
interface Diagnostic {
  readonly message: string;
  readonly range: { readonly start: { readonly line: number } };
}

const ROOT = path.resolve(import.meta.dirname, '..', '..');
const SERVER = path.join(ROOT, 'node_modules', 'yaml-language-server', 'bin', 'yaml-language-server');
/** What an editor leaves as it is, but for the list of schemas of the whole world, which is elsewhere. */
const SETTINGS = { validate: true, completion: true, hover: true, schemaStore: { enable: false } };

/** The YAML language server that editors start, spoken to as they do: https://microsoft.github.io/language-server-protocol */
export async function startLanguageServer() {
  const child = spawn(process.execPath, [SERVER, '--stdio'], {
    env: { PATH: process.env['PATH'] }, // no proxy
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const connection = createMessageConnection(
    new StreamMessageReader(child.stdout),
    new StreamMessageWriter(child.stdin),
  );
  const told = new Map<string, (found: readonly Diagnostic[]) => void>();
  connection.onRequest('workspace/configuration', ({ items }: { items: readonly { section?: string }[] }) =>
    items.map(({ section }) => (section === 'yaml' ? SETTINGS : {})),
  );
  connection.onRequest('client/registerCapability', () => null);
  connection.onNotification(
    'textDocument/publishDiagnostics',
    ({ uri, diagnostics }: { uri: string; diagnostics: readonly Diagnostic[] }) => told.get(uri)?.(diagnostics),
  );
  connection.listen();
  const capabilities = { workspace: { configuration: true } };
  await connection.sendRequest('initialize', { processId: process.pid, rootUri: null, capabilities });
  await connection.sendNotification('initialized', {});
  let opened = 0;

  /** Opens a text as a file of docs/examples; resolves to what is wrong with it, line (from 0) and message. */
  async function open(text: string): Promise<{ uri: string; wrong: readonly (readonly [number, string])[] }> {
    const uri = pathToFileURL(path.join(ROOT, 'docs', 'examples', `opened-${++opened}.yaml`)).href;
    const found = new Promise<readonly Diagnostic[]>((resolve) => told.set(uri, resolve));
    const textDocument = { uri, languageId: 'yaml', version: 1, text };
    await connection.sendNotification('textDocument/didOpen', { textDocument });
    return { uri, wrong: (await found).map(({ range, message }) => [range.start.line, message] as const) };
  }

  return {
    open,
    /** What the editor offers at the mark `|` of a text. */
    async offeredAt(marked: string): Promise<readonly Completion[]> {
      const before = marked.slice(0, marked.indexOf('|')).split('\n');
      const position = { line: before.length - 1, character: before.at(-1)?.length ?? 0 };
      const { uri } = await open(marked.replace('|', ''));
      const request = { textDocument: { uri }, position };
      const answer = await connection.sendRequest<{ items: readonly Completion[] }>('textDocument/completion', request);
      return answer.items;
    },
    async close(): Promise<void> {
      const ended = once(child, 'close');
      connection.dispose();
      child.kill('SIGKILL');
      await ended;
    },
  };
}
