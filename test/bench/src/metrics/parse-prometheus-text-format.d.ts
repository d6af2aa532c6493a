/** The package has no types of its own; these are those of what the benchmark reads. */
declare module 'parse-prometheus-text-format' {
  export type Labels = Readonly<Record<string, string>>;
  export type Family = {
    readonly name: string;
    readonly type: string;
    readonly metrics: readonly {
      readonly labels?: Labels;
      readonly value?: string;
    }[];
  };
  /** @throws {Error} on a line that it cannot read, for the whole body */
  export default function parse(body: string): readonly Family[];
}
