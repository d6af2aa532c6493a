import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { type WorldProcess } from '@davit/test-support';
import { type Front } from './front.js';
import { binaryIn } from './install.js';

const run = promisify(execFile);
const PATIENCE_MS = 120_000;

/** The vendor's own programs, before the simulated Vast. The key is in their environment alone. */
export class Vendor {
  private readonly environment: Readonly<Record<string, string>>;

  constructor(
    private readonly installation: string,
    home: string,
    private readonly front: Front,
    world: WorldProcess,
  ) {
    this.environment = {
      HOME: home,
      XDG_CONFIG_HOME: home,
      PATH: '/usr/bin:/bin',
      VAST_API_KEY: world.keys.vast,
      FRONT: front.url,
    };
  }

  /**
   * What the command line prints. The address is an argument: given as `VAST_URL` it counts as the default, and then the
   * client asks the real run host for workers, logs and updates.
   */
  async cli(...args: readonly string[]): Promise<string> {
    const options = { env: this.environment, timeout: PATIENCE_MS };
    return (await run(binaryIn(this.installation, 'vastai'), [...args, '--raw', '--url', this.front.url], options))
      .stdout;
  }

  /** As `cli`, for commands that print JSON alone. */
  async json(...args: readonly string[]): Promise<unknown> {
    return JSON.parse(await this.cli(...args));
  }

  /** The JSON that a Python program prints which uses the vendor's library. */
  async python(program: string, variables: Readonly<Record<string, string>>): Promise<unknown> {
    const options = { env: { ...this.environment, ...variables }, timeout: PATIENCE_MS };
    return JSON.parse((await run(binaryIn(this.installation, 'python'), ['-c', program], options)).stdout);
  }
}
