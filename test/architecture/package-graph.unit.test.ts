import { describe, expect, test } from '@jest/globals';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import {
  findCycle,
  readManifest,
  readWorkspace,
  repositoryFiles,
  root,
  type SourceFile,
  type WorkspacePackage,
} from './workspace.js';

const workspace = readWorkspace();
const byName = new Map(workspace.map((pkg) => [pkg.name, pkg]));
const shared = Object.keys(readManifest('').devDependencies ?? {});

/** The harness, the stage and the simulated world, which any test may use. */
const testPackages = ['@davit/stage', '@davit/test-support', '@davit/world'];

const isOurs = (name: string): boolean => name.startsWith('@davit/');
const kindOf = (name: string): string => byName.get(name)?.folder.split('/')[0] ?? 'unknown';
const dependencies = (pkg: WorkspacePackage): string[] => Object.keys(pkg.manifest.dependencies ?? {});
const declared = (pkg: WorkspacePackage): string[] => [
  ...dependencies(pkg),
  ...Object.keys(pkg.manifest.devDependencies ?? {}),
];

/** What a package needs when it runs, by manifest or by import; with the place that says so. */
function needs(pkg: WorkspacePackage): { name: string; where: string }[] {
  const imported = pkg.sources
    .filter((source) => !source.isTest || pkg.folder.startsWith('test/'))
    .flatMap((source) => source.packages.map((name) => ({ name, where: source.file })));
  return [...dependencies(pkg).map((name) => ({ name, where: `${pkg.folder}/package.json` })), ...imported];
}

/** Needs that the rule forbids, as readable lines. */
const offences = (pkg: WorkspacePackage | undefined, allowed: (name: string) => boolean): string[] => {
  if (pkg === undefined) throw new Error('the package this rule is about does not exist');
  return needs(pkg)
    .filter(({ name }) => name !== pkg.name && !allowed(name))
    .map(({ name, where }) => `${where} → ${name}`);
};

describe('who may depend on whom', () => {
  test('an app depends on libraries, never on another app or on tests', () => {
    const apps = workspace.filter((pkg) => pkg.folder.startsWith('apps/'));
    expect(apps.length).toBeGreaterThanOrEqual(8);
    expect(apps.flatMap((app) => offences(app, (name) => !isOurs(name) || kindOf(name) === 'libs'))).toEqual([]);
  });

  test('a library depends on libraries only', () => {
    const libs = workspace.filter((pkg) => pkg.folder.startsWith('libs/'));
    expect(libs.length).toBeGreaterThanOrEqual(8);
    expect(libs.flatMap((lib) => offences(lib, (name) => !isOurs(name) || kindOf(name) === 'libs'))).toEqual([]);
  });

  test('the domain depends on the contracts and on nothing else', () => {
    expect(offences(byName.get('@davit/domain'), (name) => name === '@davit/contracts')).toEqual([]);
  });

  test('the contracts depend on zod and on nothing else', () => {
    expect(offences(byName.get('@davit/contracts'), (name) => name === 'zod')).toEqual([]);
  });

  test('the ports depend on no package of ours', () => {
    expect(offences(byName.get('@davit/ports'), (name) => !isOurs(name))).toEqual([]);
  });

  test('the simulated world, the independent witness, shares nothing with what it watches', () => {
    expect(offences(byName.get('@davit/world'), (name) => !isOurs(name))).toEqual([]);
  });

  test('no package depends on itself through others', () => {
    const graph = new Map(workspace.map((pkg) => [pkg.name, declared(pkg).filter(isOurs)]));
    expect(findCycle(graph)).toBeUndefined();
  });
});

describe('imports', () => {
  const missing = (pkg: WorkspacePackage, source: SourceFile): string[] => {
    const allowed = source.isTest ? [...declared(pkg), ...shared, ...testPackages] : dependencies(pkg);
    return source.packages
      .filter((name) => name !== pkg.name && !allowed.includes(name))
      .map((name) => `${source.file} → ${name}`);
  };

  test('every imported package is declared by the package that imports it', () => {
    expect(workspace.flatMap((pkg) => pkg.sources.flatMap((source) => missing(pkg, source)))).toEqual([]);
  });

  test('no file leaves its package by a relative path', () => {
    const outside = workspace
      .filter((pkg) => !pkg.folder.startsWith('test/'))
      .flatMap((pkg) =>
        pkg.sources.flatMap((source) =>
          source.files.filter((file) => !file.startsWith(`${pkg.folder}/`)).map((file) => `${source.file} → ${file}`),
        ),
      );
    expect(outside).toEqual([]);
  });

  test('no file imports itself through others', () => {
    const graph = new Map(
      workspace.flatMap((pkg) => pkg.sources.map((source) => [source.file, source.files] as const)),
    );
    expect(findCycle(graph)).toBeUndefined();
  });

  test('a package that depends on another also builds after it', () => {
    const unordered = workspace.flatMap((pkg) => {
      const config = path.join(root, pkg.folder, 'tsconfig.json');
      if (!existsSync(config)) return [`${pkg.folder} has no tsconfig.json`];
      const { references = [] } = JSON.parse(readFileSync(config, 'utf8')) as { references?: { path: string }[] };
      const built = references.map((reference) => path.join(pkg.folder, reference.path));
      return dependencies(pkg)
        .flatMap((name) => byName.get(name)?.folder ?? [])
        .filter((folder) => !built.includes(folder))
        .map((folder) => `${pkg.folder}/tsconfig.json lacks a reference to ${folder}`);
    });
    expect(unordered).toEqual([]);
  });
});

describe('files', () => {
  const files = repositoryFiles();
  const read = (file: string): string => readFileSync(path.join(root, file), 'utf8');

  test('no source file is longer than 400 lines', () => {
    const sources = files.filter((file) => /\.(ts|mts|mjs|js|sql)$/.test(file));
    expect(sources.length).toBeGreaterThan(100);
    const long = sources
      .map((file) => ({ file, lines: read(file).split('\n').length - 1 }))
      .filter(({ lines }) => lines > 400)
      .map(({ file, lines }) => `${file}: ${lines}`);
    expect(long).toEqual([]);
  });

  test('no file names the host of a package registry: everyone may have another one', () => {
    const hosts = [
      ['registry', 'npmjs', 'org'],
      ['npmjs', 'com'],
      ['registry', 'yarnpkg', 'com'],
      ['pypi', 'org'],
      ['files', 'pythonhosted', 'org'],
      ['proxy', 'golang', 'org'],
      ['sum', 'golang', 'org'],
      ['deb', 'debian', 'org'],
      ['security', 'debian', 'org'],
      ['snapshot', 'debian', 'org'],
      ['crates', 'io'],
      ['repo', 'maven', 'apache', 'org'],
    ].map((parts) => parts.join('.'));
    const here = hostOf(process.env['npm_config_registry']);
    if (here !== undefined) hosts.push(here);
    const named = files.flatMap((file) => {
      const text = read(file);
      return hosts.filter((host) => text.includes(host)).map((host) => `${file}: ${host}`);
    });
    expect(named).toEqual([]);
  });

  function hostOf(address: string | undefined): string | undefined {
    const host = address === undefined || !URL.canParse(address) ? '' : new URL(address).hostname;
    // A bare name such as "localhost" may stand in any text.
    return /[a-z].*\./i.test(host) ? host : undefined;
  }
});

describe('the search for cycles', () => {
  test('finds one behind a detour, and none where paths only meet again', () => {
    expect(
      findCycle(
        new Map([
          ['a', ['b']],
          ['b', ['c']],
          ['c', ['b']],
        ]),
      ),
    ).toEqual(['b', 'c', 'b']);
    expect(
      findCycle(
        new Map([
          ['a', ['b', 'c']],
          ['b', ['d']],
          ['c', ['d']],
        ]),
      ),
    ).toBeUndefined();
  });
});
