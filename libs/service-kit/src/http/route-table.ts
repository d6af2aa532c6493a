/** What answers where, to tell a wrong method from a wrong path. */
export class RouteTable {
  private readonly routes = new Map<string, { readonly pattern: RegExp; readonly methods: Set<string> }>();

  /** `url` as routes are declared: `/v1/deployments/:tenant/:name`. */
  add(method: string, url: string): void {
    const route = this.routes.get(url) ?? { pattern: patternOf(url), methods: new Set() };
    route.methods.add(method);
    this.routes.set(url, route);
  }

  /** Methods that are answered at a path, sorted; none where nothing is. */
  methodsAt(path: string): readonly string[] {
    const found = [...this.routes.values()].filter(({ pattern }) => pattern.test(path));
    return [...new Set(found.flatMap(({ methods }) => [...methods]))].sort();
  }
}

const patternOf = (url: string): RegExp =>
  new RegExp(`^${url.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/:[^/]+/g, '[^/]+')}/?$`);
