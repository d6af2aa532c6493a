import { mkdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { haveProgram, programFile } from '@davit/test-support';
import { type Browser, type Page, chromium } from 'playwright-core';

const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
/** Debian's package is large. */
export const INSTALL_MS = 300_000;
/** On a machine that does other things too. */
export const PATIENCE_MS = 60_000;
const WIDTH = 1_440;
const HEIGHT = 900;

type Scheme = 'light' | 'dark';
const SCHEMES = ['light', 'dark'] as const;
/** Of the serious rules these alone look at colours; all others find the same whatever the page wears. */
const OF_COLOUR = ['color-contrast', 'link-in-text-block'];

/** Debian's Chromium; undefined where it cannot be had, which is said. */
export async function openBrowser(): Promise<Browser | undefined> {
  haveProgram('chromium', 'chromium', 'the page is not driven in a browser', INSTALL_MS);
  const executablePath = programFile('chromium');
  if (executablePath === undefined) return undefined;
  return chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-dev-shm-usage'] });
}

/** Somebody who looks at the page: what their browser complains of is kept. */
export class Visitor {
  readonly complaints: string[] = [];
  private shots = 0;
  /** While requests fail on purpose, the browser may say so. */
  private failing = false;

  private constructor(
    readonly page: Page,
    private readonly url: string,
    private readonly folder: string,
  ) {
    page.setDefaultTimeout(PATIENCE_MS);
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) this.complain(`${message.type()}: ${message.text()}`);
    });
    page.on('pageerror', (error) => this.complain(`thrown: ${error.message}`));
  }

  static async come(browser: Browser, options: { readonly url: string; readonly folder: string }): Promise<Visitor> {
    mkdirSync(options.folder, { recursive: true });
    const context = await browser.newContext({ viewport: { width: WIDTH, height: HEIGHT }, reducedMotion: 'reduce' });
    return new Visitor(await context.newPage(), options.url, options.folder);
  }

  async goTo(place: string): Promise<void> {
    await this.page.goto(new URL(place, this.url).href);
  }

  /** Keeps what the page looks like. */
  async look(name: string, schemes: readonly Scheme[] = SCHEMES): Promise<void> {
    await this.inEach(schemes, (scheme, shot) => this.shoot(`${shot}-${name}-${scheme}.png`));
  }

  /** Keeps what the page looks like. @returns serious faults that axe finds, in both schemes; each with what it was found at */
  async inspect(name: string): Promise<readonly string[]> {
    const found: string[] = [];
    await this.inEach(SCHEMES, async (scheme, shot) => {
      await this.shoot(`${shot}-${name}-${scheme}.png`);
      found.push(...(await this.faults(scheme)));
    });
    return found;
  }

  private async inEach(
    schemes: readonly Scheme[],
    run: (scheme: Scheme, shot: string) => Promise<unknown>,
  ): Promise<void> {
    this.shots += 1;
    for (const scheme of schemes) {
      await this.wear(scheme);
      await run(scheme, String(this.shots).padStart(2, '0'));
    }
    await this.wear('light');
  }

  private async shoot(file: string): Promise<void> {
    await this.page.screenshot({ path: path.join(this.folder, file), animations: 'disabled' });
  }

  private async faults(scheme: Scheme): Promise<readonly string[]> {
    // The policy of the page runs no script in line; what a test adds comes through the debugger.
    if (await this.page.evaluate('typeof axe === "undefined"')) await this.page.evaluate(await axeSource());
    const options = {
      resultTypes: ['violations'],
      ...(scheme === 'light' ? {} : { runOnly: { type: 'rule', values: OF_COLOUR } }),
    };
    const { violations } = await this.page.evaluate<AxeResult>(`axe.run(document, ${JSON.stringify(options)})`);
    return violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .flatMap(({ id, nodes }) =>
        nodes.map(({ html, failureSummary }) => `${scheme} ${id}: ${html} ${failureSummary}`),
      );
  }

  /** Of the address that is shown; null where it does not stand there. */
  parameter(name: string): string | null {
    return new URL(this.page.url()).searchParams.get(name);
  }

  /** Does something on a screen of another width, in CSS pixels. */
  async withWidth(width: number, run: () => Promise<void>): Promise<void> {
    await this.page.setViewportSize({ width, height: HEIGHT });
    try {
      await run();
    } finally {
      await this.page.setViewportSize({ width: WIDTH, height: HEIGHT });
    }
  }

  /** CSS pixels by which the page is wider than the screen. */
  overflow(): Promise<number> {
    return this.page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');
  }

  /** Does something during which the server refuses, or does not answer. */
  async whileRefused(run: () => Promise<void>): Promise<void> {
    this.failing = true;
    try {
      await run();
    } finally {
      this.failing = false;
    }
  }

  private async wear(scheme: Scheme): Promise<void> {
    await this.page.emulateMedia({ colorScheme: scheme });
    await this.page.locator(`html[data-mantine-color-scheme='${scheme}']`).waitFor({ state: 'attached' });
  }

  private complain(text: string): void {
    if (!this.failing || !/ERR_|Failed to load resource/.test(text)) this.complaints.push(text);
  }
}

interface AxeResult {
  readonly violations: readonly {
    readonly id: string;
    readonly impact: string | null;
    readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
  }[];
}

let source: Promise<string> | undefined;
const axeSource = (): Promise<string> => (source ??= readFile(AXE, 'utf8'));
