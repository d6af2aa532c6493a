/** See `startSystem`. */
export interface SystemOptions {
  /** Which data and which lock; default `up`. Two systems of different names may run at once. */
  name?: string;
  /** Remove the data of an earlier run first. Default false. */
  fresh?: boolean;
  /** Remove the data after `stop`. Default false. */
  removeOnStop?: boolean;
  /** Start the simulated world; default: unless DAVIT_WORLD=off. */
  world?: boolean;
  /** Start the seven services; default true. */
  services?: boolean;
  /** Its ports begin here when they are free; default: the usual ones, which another system may want while a child is down. */
  firstPort?: number;
  /** Sync every commit to disk; default true. Turn off only in tests. */
  durable?: boolean;
  /** End everything on SIGINT, SIGTERM and SIGHUP, then exit. Default true. */
  signals?: boolean;
  /** More or other environment for the services. */
  env?: Record<string, string>;
  /** Where progress is told; default stderr. */
  tell?: (text: string) => void;
}

export interface WorldInfo {
  controlUrl: string;
  skyBin: string;
  /** Holds `.sky` with its catalogues. */
  skyHome: string;
  runpodUrl: string;
  vastConsoleUrl: string;
  vastRunUrl: string;
  vastOpenaiUrl: string;
  vastTemplateHash: string;
  keys: { runpod: string; vast: string };
}

/** A child is `postgres`, `nats`, `world` or the name of a service. */
export interface System {
  name: string;
  /** Its data; logs are in `log/<child>.log`. */
  dir: string;
  databaseUrl: string;
  natsUrl: string;
  /** Base address by service name, such as `http://127.0.0.1:7600`. */
  urls: Record<string, string>;
  world: WorldInfo | undefined;
  /** What the services were told, and DAVIT_URL (the front door) for the command line. */
  env: NodeJS.ProcessEnv;
  worldInfo(): WorldInfo | undefined;
  /** Ends every child, whole process groups, and waits for it. */
  stop(): Promise<void>;
  pidOf(child: string): number | undefined;
  /** Sends a signal and lets the supervisor react: a crashed child is started again by itself. */
  signalService(child: string, signal: NodeJS.Signals): void;
  /** kill -9; it stays down until `restartService`. */
  killService(child: string): Promise<void>;
  /** Graceful end; it stays down until `restartService`. */
  stopService(child: string): Promise<void>;
  /** Starts it again, after ending it when it runs, and waits until it is ready. */
  restartService(child: string): Promise<void>;
  /** Starts a second instance of a service beside the first, as child `<service>-2`, and returns its base address once ready. */
  addInstance(service: string): Promise<string>;
  /** kill -9 of the broker, its whole store removed, started again. */
  wipeNats(): Promise<void>;
}

/** Rejects with a `SetupError` (stable `code`) after ending whatever had been started. */
export function startSystem(options?: SystemOptions): Promise<System>;
