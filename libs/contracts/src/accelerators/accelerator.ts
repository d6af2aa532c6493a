/** One card under every name that Davit meets it by. */
export type Accelerator = {
  /** SkyPilot's launch name where it has one, else the name that its catalogue lists. */
  readonly name: string;
  readonly memoryGiB: number;
  readonly runpod: RunpodNames | null;
  /** Empty where Vast does not list it. */
  readonly vast: readonly VastNames[];
};

export type RunpodNames = {
  /** Sent to RunPod as it stands; compare with `sameGpuId`. */
  readonly id: string;
  /** Null for a type that no list of today shows. */
  readonly displayName: string | null;
  /** What SkyPilot launches it by; null where it cannot. */
  readonly launchName: string | null;
  /** What SkyPilot's catalogue files call it. */
  readonly catalogueName: string;
  /** RunPod's serverless pool. */
  readonly pool: string | null;
};

export type VastNames = {
  /** As offers write it, with blanks. */
  readonly gpuName: string;
  /** What SkyPilot launches it by and its catalogue lists; several cards share one. */
  readonly skypilotName: string;
};
