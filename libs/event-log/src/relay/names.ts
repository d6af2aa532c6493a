import { busStreams, subjects } from '@davit/contracts';

/** What the mirror is called on the bus. Another set lets several mirrors share one broker. */
export interface MirrorNames {
  readonly stream: string;
  /** All subjects of the stream. */
  readonly allSubjects: string;
  readonly subjectOf: (eventType: string) => string;
  readonly poke: string;
}

export const defaultMirrorNames: MirrorNames = {
  stream: busStreams.log,
  allSubjects: subjects.allLog,
  subjectOf: subjects.log,
  poke: subjects.poke,
};
