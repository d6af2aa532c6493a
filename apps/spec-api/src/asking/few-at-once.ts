import { ProblemError } from '@davit/service-kit';

/** Lets so many long answers be made at once, and refuses more: each reads much of the log. */
export class FewAtOnce {
  private running = 0;

  constructor(
    private readonly what: string,
    private readonly most = 2,
  ) {}

  /** @throws ProblemError 503 where as many as may be are under way */
  async run<Answer>(make: () => Promise<Answer>): Promise<Answer> {
    if (this.running >= this.most)
      throw new ProblemError(503, 'busy', 'Busy', `${this.running} ${this.what} are under way; try again later.`);
    this.running += 1;
    try {
      return await make();
    } finally {
      this.running -= 1;
    }
  }
}
