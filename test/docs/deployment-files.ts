import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parseAllDocuments } from 'yaml';

export const deployFolder = path.resolve(import.meta.dirname, '..', '..', 'deploy');

/** The documents of a YAML file under `deploy`, merges and anchors resolved. */
export function readYaml(file: string): unknown[] {
  return parseAllDocuments(readFileSync(path.join(deployFolder, file), 'utf8'), { merge: true, uniqueKeys: true }).map(
    (document) => {
      const [error] = document.errors;
      if (error) throw error;
      return document.toJS() as unknown;
    },
  );
}

export interface ComposeService {
  readonly image: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly healthcheck?: { readonly test: readonly string[] };
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
}

export interface Compose {
  readonly services: Readonly<Record<string, ComposeService>>;
}

export const readCompose = (): Compose => readYaml('compose.yaml')[0] as Compose;

interface Probe {
  readonly httpGet: { readonly path: string; readonly port: string };
}

interface Container {
  readonly ports: readonly { readonly name: string; readonly containerPort: number }[];
  readonly env: readonly { readonly name: string; readonly value?: string }[];
  readonly envFrom: readonly { readonly configMapRef?: { name: string }; readonly secretRef?: { name: string } }[];
  readonly livenessProbe: Probe;
  readonly readinessProbe: Probe;
}

/** The fields of Kubernetes objects that the tests look at. */
export interface KubernetesObject {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly data?: Readonly<Record<string, string>>;
  readonly stringData?: Readonly<Record<string, string>>;
  readonly spec?: {
    readonly selector?: { readonly matchLabels?: Readonly<Record<string, string>> };
    readonly template?: {
      readonly metadata: { readonly labels: Readonly<Record<string, string>> };
      readonly spec: { readonly containers: readonly [Container] };
    };
  };
}

export interface Kustomization {
  readonly resources: readonly string[];
}

export const readKustomization = (): Kustomization => readYaml('kubernetes/kustomization.yaml')[0] as Kustomization;

/** Every object that the kustomization applies, and those of the example of secrets. */
export const readKubernetes = (): KubernetesObject[] =>
  [...readKustomization().resources, 'secret.example.yaml'].flatMap(
    (file) => readYaml(`kubernetes/${file}`) as KubernetesObject[],
  );
