import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import path from 'node:path';
import ts from 'typescript';

export const root = path.resolve(import.meta.dirname, '..', '..');

export interface Manifest {
  readonly name: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly workspaces?: readonly string[];
}

export interface WorkspacePackage {
  readonly name: string;
  /** Relative to the root, such as `libs/domain`. */
  readonly folder: string;
  readonly manifest: Manifest;
  readonly sources: readonly SourceFile[];
}

export interface SourceFile {
  /** Relative to the root. */
  readonly file: string;
  /** Test files and what only they use, and settings of tools. */
  readonly isTest: boolean;
  /** Names of packages imported, without `node:` built-ins. */
  readonly packages: readonly string[];
  /** Relative imports that remain after compiling, as files relative to the root. */
  readonly files: readonly string[];
}

const NOT_OURS = new Set(['node_modules', 'dist', '.git', '.davit', '.nx', 'coverage']);

/** Every file of the repository that is not installed, compiled or left by a run; relative to the root. */
export function repositoryFiles(folder = ''): string[] {
  return readdirSync(path.join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const name = path.posix.join(folder, entry.name);
    if (entry.isDirectory()) return NOT_OURS.has(entry.name) ? [] : repositoryFiles(name);
    return entry.isFile() ? [name] : [];
  });
}

export function readManifest(folder: string): Manifest {
  // The file is npm's own and npm has accepted it; only fields that npm defines are read.
  return JSON.parse(readFileSync(path.join(root, folder, 'package.json'), 'utf8')) as Manifest;
}

export function readWorkspace(): WorkspacePackage[] {
  const folders = (readManifest('').workspaces ?? []).flatMap((pattern) => {
    if (!pattern.endsWith('/*')) return [pattern];
    const parent = pattern.slice(0, -2);
    return readdirSync(path.join(root, parent)).map((name) => `${parent}/${name}`);
  });
  return folders
    .filter((folder) => existsSync(path.join(root, folder, 'package.json')))
    .map((folder) => {
      const manifest = readManifest(folder);
      const files = repositoryFiles(folder).filter((file) => /\.(tsx?|mts|mjs|js)$/.test(file));
      return { name: manifest.name, folder, manifest, sources: files.map(readSource) };
    });
}

function readSource(file: string): SourceFile {
  const text = readFileSync(path.join(root, file), 'utf8');
  const imports = ts.preProcessFile(text, true, true).importedFiles.map((found) => found.fileName);
  const kept = ts.preProcessFile(withoutTypeImports(text), true, true).importedFiles.map((found) => found.fileName);
  return {
    file,
    isTest: /\.(test\.ts|config\.mjs)$/.test(file) || /\/(testing|lab)\//.test(file) || file.startsWith('test/'),
    packages: [...new Set(imports.filter((name) => !name.startsWith('.') && !isBuiltin(name)).map(packageName))],
    files: kept
      .filter((name) => name.startsWith('.'))
      .map((name) => sourceOf(path.posix.join(path.posix.dirname(file), name))),
  };
}

/** The file that an import of what is compiled from it means. */
function sourceOf(file: string): string {
  const [plain, withMarkup] = [file.replace(/\.js$/, '.ts'), file.replace(/\.js$/, '.tsx')];
  return existsSync(path.join(root, withMarkup)) ? withMarkup : plain;
}

const withoutTypeImports = (text: string): string => text.replace(/^\s*(import|export) type [^;]*;/gm, '');

/** `@scope/name/deep` → `@scope/name`. */
const packageName = (specifier: string): string =>
  specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');

/** A cycle of the graph as a list that begins and ends with the same node; undefined when there is none. */
export function findCycle(graph: ReadonlyMap<string, readonly string[]>): string[] | undefined {
  const done = new Set<string>();
  const visit = (node: string, trail: readonly string[]): string[] | undefined => {
    const at = trail.indexOf(node);
    if (at >= 0) return [...trail.slice(at), node];
    if (done.has(node)) return undefined;
    for (const next of graph.get(node) ?? []) {
      const cycle = visit(next, [...trail, node]);
      if (cycle !== undefined) return cycle;
    }
    done.add(node);
    return undefined;
  };
  for (const node of graph.keys()) {
    const cycle = visit(node, []);
    if (cycle !== undefined) return cycle;
  }
  return undefined;
}
