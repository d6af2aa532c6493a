import type { ReplayDifference, ReplayView } from '@davit/contracts';
import { table } from './table.js';

/** How many decisions would have been others, then each of them with what it rests on. */
export function replayText(view: ReplayView): string {
  const { from, to, deployment, kinds, compared, differing, differences, left, notJudged, rules } = view;
  return [
    `Replay from ${from.at} (position ${from.position}) to ${to.at} (${to.position})${deployment === null ? '' : `, ${deployment}`}`,
    '',
    table(
      ['DECISIONS', 'TAKEN AGAIN', 'OTHERS'],
      kinds.map(({ kind, compared: of, differing: others }) => [kind, String(of), String(others)]),
    ),
    ...differences.flatMap((difference) => ['', ...differenceLines(difference)]),
    ...(left > 0 ? ['', `${left} more are not shown.`] : []),
    '',
    `${differing} of ${compared} decisions would have been others.`,
    ...notJudged.map(({ position, reason }) => `  not taken again  (${position}) ${reason}`),
    ...rules.map((rule) => `  rule  ${rule}`),
  ].join('\n');
}

const differenceLines = ({ kind, position, at, about, was, would, evidence, alternatives }: ReplayDifference) => [
  `${at}  ${kind} of ${about.kind} ${about.name}  (${position})`,
  `    was    ${was.outcome}: ${was.reason}`,
  `    would  ${would.outcome}: ${would.reason}`,
  ...evidence.map(({ name, value }) => `      ${name}: ${value}`),
  ...alternatives.map(({ outcome, reason }) => `      passed over: ${outcome} (${reason})`),
];
