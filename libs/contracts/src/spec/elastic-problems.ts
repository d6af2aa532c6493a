import { acceleratorNames, nearAccelerators } from '../accelerators/lookups.js';
import type { FieldProblem } from '../problem.js';
import { MAX_PLACEMENTS } from './deployment.js';
import { duplicates } from './duplicates.js';
import { type AnyPlace, type ElasticManifest, expandAny, readAccelerator } from './expand.js';
import { cut } from './field-path.js';
import { nearNames } from './nearest.js';

/** Mistakes in where an elastic deployment may run. */
export function elasticProblems({ any, placements, selection }: ElasticManifest): FieldProblem[] {
  if (any && placements) {
    return [
      {
        path: 'spec.compute.any',
        message: 'contradicts spec.compute.placements: each says where replicas may run',
        remedy: 'Keep one of the two.',
      },
    ];
  }
  if (any) return anyProblems(any, selection);
  if (placements) return rungProblems(placements);
  return [
    {
      path: 'spec.compute.placements',
      message: 'is missing',
      remedy: 'List placements, or write spec.compute.any with clouds and accelerators that all will do.',
    },
  ];
}

const LISTS = ['clouds', 'regions', 'accelerators'] as const;

function anyProblems(any: AnyPlace, selection: ElasticManifest['selection']): FieldProblem[] {
  const problems: FieldProblem[] = [];
  const add = (field: string, message: string, remedy: string): void =>
    void problems.push({ path: `spec.compute.${field}`, message, remedy });
  if (selection === 'ladder') {
    add(
      'selection',
      '"ladder" contradicts spec.compute.any, which has no order of preference',
      'Write "best" or nothing, or list placements in order.',
    );
  }
  for (const list of LISTS)
    for (const index of duplicates((any[list] ?? []).map((value) => value.replace(/:1$/, ''))))
      add(`any.${list}[${index}]`, 'the same value twice', 'Remove one of them.');
  any.accelerators.forEach((text, index) =>
    problems.push(...cardProblems(any.clouds, text, `spec.compute.any.accelerators[${index}]`)),
  );
  if (problems.length > 0) return problems;
  const names = any.accelerators.flatMap((text) => readAccelerator(text)?.name ?? []);
  any.clouds.forEach((cloud, index) => {
    if (names.some((name) => acceleratorNames(cloud).includes(name))) return;
    add(`any.clouds[${index}]`, `"${cloud}" rents none of ${names.join(', ')}`, 'Remove it, or add a card it rents.');
  });
  const count = expandAny(any).length;
  if (count > MAX_PLACEMENTS) {
    add(
      'any',
      `makes ${count} placements, and at most ${MAX_PLACEMENTS} are ranked`,
      'Name fewer clouds, regions or accelerators.',
    );
  }
  return problems;
}

/** A card has to be known on one of the clouds; what another one does not rent is left out there. */
function cardProblems(clouds: readonly string[], text: string, path: string): FieldProblem[] {
  const problems = clouds.map((cloud) => acceleratorProblems(cloud, text, path));
  const [first = []] = problems;
  if (problems.some((ofCloud) => ofCloud.length === 0)) return [];
  const name = readAccelerator(text)?.name;
  if (name === undefined || clouds.length === 1) return first;
  const near = [...new Set(clouds.flatMap((cloud) => nearWritten(cloud, text)))].slice(0, 3);
  const hint = near.length > 0 ? ` Near names known there: ${near.join(', ')}.` : '';
  const message = `"${name}" is not a known accelerator of ${clouds.join(' or ')}`;
  return [{ path, message, remedy: `Write a known name.${hint}` }];
}

function rungProblems(placements: NonNullable<ElasticManifest['placements']>): FieldProblem[] {
  const problems: FieldProblem[] = [];
  const seen = new Set<string>();
  placements.forEach((rung, index) => {
    const path = `spec.compute.placements[${index}]`;
    if (rung.accelerator !== undefined)
      problems.push(...acceleratorProblems(rung.cloud, rung.accelerator, `${path}.accelerator`));
    const accelerator = rung.accelerator?.replace(/:1$/, '');
    const identity = JSON.stringify([rung.cloud, rung.region, accelerator, rung.spot]);
    if (seen.has(identity)) {
      problems.push({ path, message: 'the same placement twice', remedy: 'Remove one of them.' });
    }
    seen.add(identity);
  });
  return problems;
}

function acceleratorProblems(cloud: string, text: string, path: string): FieldProblem[] {
  const known = acceleratorNames(cloud);
  const near = nearWritten(cloud, text);
  const hint = near.length > 0 ? ` Near names known for ${cloud}: ${near.join(', ')}.` : '';
  const match = /^([A-Za-z][\w-]*)(?::([1-9]\d?))?$/.exec(text);
  if (!match) {
    return [
      {
        path,
        message: `"${cut(text, 57)}" is not an accelerator and count`,
        remedy: `Write NAME or NAME:COUNT, for example "L40S:1".${hint}`,
      },
    ];
  }
  if (known.includes(match[1] ?? '')) return [];
  return [
    { path, message: `"${match[1]}" is not a known accelerator of ${cloud}`, remedy: `Write a known name.${hint}` },
  ];
}

/** A count in the wrong place must not hide the name before it. */
function nearWritten(cloud: string, text: string): readonly string[] {
  const [name = text] = text.split(':');
  const [nearest, ...others] = nearAccelerators(cloud, name);
  return [...new Set([nearest ?? [], nearNames(text, acceleratorNames(cloud)), others].flat())].slice(0, 3);
}
