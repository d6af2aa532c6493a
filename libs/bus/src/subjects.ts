/** Subjects of the bus itself; those of the product stand in `@davit/contracts`. */
export const busSubjects = {
  deadLetter: (kind: string): string => `davit.deadletter.${kind}`,
  allDeadLetters: 'davit.deadletter.>',
  /** Outcome of an intent, from the instance that handled it to the one whose requester waits. */
  intentAnswer: (digest: string): string => `davit.intent-answer.${digest}`,
  allIntentAnswers: 'davit.intent-answer.*',
  /** Tells the other instances that an outcome has reached its requester. */
  intentAnswerClaim: 'davit.intent-claim',
} as const;

/** Headers of the bus. */
export const busHeaders = {
  /** Set to `problem` on a reply that is a problem document. */
  status: 'Davit-Status',
  /** Milliseconds that a requester is ready to wait, from sending. */
  deadlineMs: 'Davit-Deadline-Ms',
  idempotencyKey: 'Idempotency-Key',
  messageId: 'Nats-Msg-Id',
  traceparent: 'traceparent',
} as const;

/**
 * False for a reply subject that is more than somebody's inbox: an answer there would write the log, send an intent or command
 * the broker with the permissions of the service, at the word of a requester that has none of them.
 */
export const isAnswerable = (reply: string | undefined): reply is string =>
  reply !== undefined && reply !== '' && !/^(davit\.|\$)/.test(reply);

/** True when `subject` falls under `pattern`, where `*` stands for one token and a last `>` for one or more. */
export function subjectMatches(pattern: string, subject: string): boolean {
  const wanted = pattern.split('.');
  const tokens = subject.split('.');
  for (const [index, token] of wanted.entries()) {
    if (token === '>') return tokens.length > index;
    if (index >= tokens.length || (token !== '*' && token !== tokens[index])) return false;
  }
  return tokens.length === wanted.length;
}

/** The pattern that says most about the subject: literal tokens win over `*`, `*` over `>`, from the left. */
export function mostSpecificPattern(patterns: Iterable<string>, subject: string): string | undefined {
  let best: string | undefined;
  for (const pattern of patterns) {
    if (pattern === subject) return pattern;
    if (subjectMatches(pattern, subject) && (best === undefined || rank(pattern) > rank(best))) best = pattern;
  }
  return best;
}

const rank = (pattern: string): string =>
  pattern
    .split('.')
    .map((token) => (token === '>' ? '0' : token === '*' ? '1' : '2'))
    .join('');
