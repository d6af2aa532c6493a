import type { RecordedEvent } from '@davit/contracts';
import type { Locator } from 'playwright-core';
import type { Visitor } from './browser.js';

const MOST_STEPS = 80;

/** What an operator does and sees on the page, by the names that people and screen readers go by. */
export class Operator {
  constructor(private readonly visitor: Visitor) {}

  private get page(): Visitor['page'] {
    return this.visitor.page;
  }

  async sees(text: string | RegExp): Promise<void> {
    await this.page.getByText(text).filter({ visible: true }).first().waitFor();
  }

  async press(name: string): Promise<void> {
    await this.page.getByRole('button', { name, exact: true }).first().click();
  }

  async isOff(name: string): Promise<boolean> {
    const button = this.page.getByRole('button', { name, exact: true });
    return (await button.getAttribute('aria-disabled')) === 'true';
  }

  /** Goes on with the tabulator until it stands on a link of this name. */
  async tabTo(name: string | RegExp): Promise<void> {
    const link = this.page.getByRole('link', { name, exact: true }).and(this.page.locator(':focus'));
    for (let steps = 0; steps < MOST_STEPS; steps += 1) {
      if ((await link.count()) > 0) return;
      await this.page.keyboard.press('Tab');
    }
    throw new Error(`the keyboard does not come to ${String(name)} in ${MOST_STEPS} steps`);
  }

  /** What the keyboard acts on is seen, and is a link of this name. */
  async standsOn(name: string): Promise<void> {
    await this.page.getByRole('link', { name, exact: true }).and(this.page.locator(':focus-visible')).waitFor();
  }

  /** A row of a table that names the replica and its state. */
  async seesReplica(id: string | RegExp, state: string): Promise<void> {
    const row = this.page.getByRole('row').filter({ has: this.page.getByRole('link', { name: id }) });
    await row.filter({ hasText: state }).first().waitFor();
  }

  /** Opens the story behind a link, reads that it reaches `end`, and closes it again. */
  async isTold(link: Locator, end: string | RegExp): Promise<void> {
    await link.click();
    const story = this.page.getByRole('dialog');
    await story.getByText(end).first().waitFor();
    await this.page.keyboard.press('Escape');
    await story.waitFor({ state: 'hidden' });
  }

  /** Writes a specification and has it planned. */
  async plan(specification: string): Promise<void> {
    await this.visitor.goTo('/apply');
    await this.page.getByRole('textbox', { name: 'Specification as YAML or JSON' }).fill(specification);
    await this.press('Plan');
  }

  /** Applies what was planned, and goes where it can be watched. */
  async apply(deployment: string): Promise<void> {
    await this.press('Apply this');
    await this.page.getByRole('link', { name: `Watch ${deployment} come up` }).click();
    await this.page.getByRole('heading', { level: 1, name: deployment }).waitFor();
  }

  /** The log as the page's own server tells it. */
  async events(): Promise<readonly RecordedEvent[]> {
    // eslint-disable-next-line @typescript-eslint/no-unnecessary-type-assertion
    const answer = (await this.page.evaluate('fetch("/v1/events?limit=1000").then((reply) => reply.json())')) as {
      readonly items: readonly RecordedEvent[];
    };
    return answer.items;
  }
}
