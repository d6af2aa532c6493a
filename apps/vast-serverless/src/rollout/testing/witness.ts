import type { HttpRequest } from '@davit/ports';
import type { Stage } from '@davit/stage';
import type { World } from '@davit/world';

interface Asked {
  readonly route: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Last position of the log when it was asked. */
  readonly position: number;
}

const routeOf = ({ method, url }: HttpRequest): string =>
  `${method} ${new URL(url).pathname.replaceAll(/\/\d+/g, '/*')}`;

/** What was asked of Vast and of workers, at which point of the log, and everything that ever came to be there. */
export class Witness {
  readonly requests: Asked[] = [];
  /** Answers of workers: their status, or null where there was none. */
  readonly workerAnswers: (number | null)[] = [];
  /** Names of endpoints, endpoints of workergroups, and names of templates, by id. */
  private readonly made = { endpoints: new Map<number, string>(), groups: new Map<number, string>() };
  private readonly templates = new Map<number, string>();

  constructor(
    private readonly world: World,
    private readonly stage: Stage,
  ) {}

  asked(request: HttpRequest): void {
    const { url, headers = {}, body = '' } = request;
    this.requests.push({ route: routeOf(request), url, headers, body, position: this.stage.log.size });
  }

  answered({ url }: HttpRequest, status: number | null): void {
    if (!/vast\.ai$/.test(new URL(url).hostname)) this.workerAnswers.push(status);
    const { endpoints, groups, templates } = this.world.vast.store;
    for (const { id, endpoint_name } of endpoints.values()) this.made.endpoints.set(id, endpoint_name);
    for (const { id, endpointId } of groups.values()) this.made.groups.set(id, String(endpointId));
    for (const { id, fields } of templates.values()) this.templates.set(id, String(fields['name']));
  }

  /** Calls of one route, numbers in its path as stars: `POST /api/v0/endptjobs/`. */
  calls(route: string): readonly Asked[] {
    return this.requests.filter((request) => request.route === route);
  }

  /** Ids of all endpoints that ever had this name. */
  endpointsNamed(name: string): readonly number[] {
    return [...this.made.endpoints].filter(([, one]) => one === name).map(([id]) => id);
  }

  /** Things that were made more than once. */
  get doubled(): readonly string[] {
    const { endpoints, groups } = this.made;
    return [endpoints, groups, this.templates].flatMap((made) => {
      const names = [...made.values()];
      return [...new Set(names.filter((name, index) => names.indexOf(name) !== index))];
    });
  }
}
