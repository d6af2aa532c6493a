import { type ContractEvidence, type ContractPolicy, type OutputObservation } from './observation.js';
import { parse } from './observe.js';
import { breaksOf, shapeOf } from './shape.js';
import { median, similarityOf } from './similarity.js';

export type OutputDifference = {
  readonly probe: string;
  readonly what: 'schema' | 'answer-schema' | 'finish-reason' | 'model' | 'length' | 'similarity' | 'missing';
  readonly detail: string;
};

export type ContractComparison = {
  /** `unknown`: too few answers, or one that is missing; never taken for the same. */
  readonly verdict: 'same' | 'different' | 'unknown';
  readonly differences: readonly OutputDifference[];
  readonly figures: { readonly compared: number; readonly recorded: number; readonly medianSimilarity: number | null };
};

/** Holds observed answers against the recorded ones of the same requests. In whatever order they stand, the result is the same. */
export function compareOutputs({ policy, recorded, observed }: ContractEvidence): ContractComparison {
  const pairs = [...recorded]
    .sort((a, b) => (a.probe < b.probe ? -1 : 1))
    .map((was) => ({ was, answers: observed.filter(({ probe }) => probe === was.probe) }));
  const compared = pairs.flatMap(({ was, answers }) => answers.map((is) => ({ was, is })));
  const similarities = compared.map(({ was, is }) => similarityOf(was.text ?? '', is.text ?? ''));
  const figures = { compared: compared.length, recorded: pairs.length, medianSimilarity: median(similarities) ?? null };
  const differences = [
    ...compared.flatMap(({ was, is }) => differencesOf(was, is, policy)),
    ...wordingOf(figures.medianSimilarity, policy),
  ];
  if (differences.length > 0) return { verdict: 'different', differences, figures };
  const missing = [...missingOf(pairs), ...twice(recorded), ...twice(observed), ...tooFew(compared.length, policy)];
  return { verdict: missing.length > 0 ? 'unknown' : 'same', differences: missing, figures };
}

function differencesOf(was: OutputObservation, is: OutputObservation, policy: ContractPolicy): OutputDifference[] {
  const found = (what: OutputDifference['what'], detail: string): OutputDifference => ({
    probe: was.probe,
    what,
    detail,
  });
  return [
    ...schemaBreaks(was, is).map((detail) => found('schema', detail)),
    ...answerBreaks(was.text, is.text).map((detail) => found('answer-schema', detail)),
    ...changed('finish reason', was.finishReason, is.finishReason).map((detail) => found('finish-reason', detail)),
    ...changed('model', policy.expectedModel ?? was.model, is.model).map((detail) => found('model', detail)),
    ...lengthBreaks(was.text, is.text, policy).map((detail) => found('length', detail)),
  ];
}

const told = (value: string | null): string => (value === null ? 'none' : JSON.stringify(value));

const changed = (what: string, was: string | null, is: string | null): string[] =>
  was === null || was === is ? [] : [`${what} is ${told(is)}, not ${told(was)}`];

function schemaBreaks(was: OutputObservation, is: OutputObservation): readonly string[] {
  if (was.shape === null) return [];
  return is.shape === null ? ['the answer is no JSON, was'] : breaksOf(was.shape, is.shape);
}

/** Where the text itself was structured, it must be so still. */
function answerBreaks(was: string | null, is: string | null): readonly string[] {
  const recorded = parse(was ?? '');
  if (typeof recorded !== 'object' || recorded === null) return [];
  const observed = parse(is ?? '');
  return observed === undefined
    ? ['the text is no JSON, was']
    : breaksOf(shapeOf(recorded), shapeOf(observed), '$text');
}

function lengthBreaks(was: string | null, is: string | null, { lengthBand }: ContractPolicy): readonly string[] {
  if (was === null || was.length === 0) return [];
  const factor = (is ?? '').length / was.length;
  const isWithin = factor >= lengthBand.atLeast && factor <= lengthBand.atMost;
  return isWithin
    ? []
    : [`the text is ${factor.toFixed(2)} times as long, ${lengthBand.atLeast} to ${lengthBand.atMost} is tolerated`];
}

function wordingOf(similarity: number | null, { minSimilarity }: ContractPolicy): OutputDifference[] {
  if (similarity === null || similarity >= minSimilarity) return [];
  const detail = `the median similarity to the recorded answers is ${similarity.toFixed(2)}, ${minSimilarity} is needed`;
  return [{ probe: 'all', what: 'similarity', detail }];
}

const missing = (probe: string, detail: string): OutputDifference => ({ probe, what: 'missing', detail });

const missingOf = (
  pairs: readonly { was: OutputObservation; answers: readonly OutputObservation[] }[],
): OutputDifference[] =>
  pairs.flatMap(({ was, answers }) =>
    answers.length > 0 ? [] : [missing(was.probe, `${was.probe} was not answered`)],
  );

const twice = (outputs: readonly OutputObservation[]): OutputDifference[] =>
  outputs
    .filter(({ probe }, index) => outputs.findIndex((other) => other.probe === probe) !== index)
    .map(({ probe }) => missing(probe, `${probe} is answered twice`));

const tooFew = (compared: number, { minProbes }: ContractPolicy): OutputDifference[] =>
  compared >= Math.max(1, minProbes)
    ? []
    : [missing('all', `${compared} answers are compared, ${minProbes} are needed`)];
