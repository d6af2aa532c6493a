import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import protobuf from 'protobufjs';

const require = createRequire(import.meta.url);
/** Envoy's API as gRPC for Node ships it (https://github.com/grpc/grpc-node, packages/grpc-js-xds/deps). */
const XDS = path.join(path.dirname(require.resolve('@grpc/grpc-js-xds/package.json')), 'deps');
const FOLDERS = [
  path.dirname(require.resolve('protobufjs/package.json')),
  ...['envoy-api', 'xds', 'googleapis', 'protoc-gen-validate'].map((name) => path.join(XDS, name)),
];
const FILES = [
  'envoy/service/discovery/v3/discovery.proto',
  'envoy/config/cluster/v3/cluster.proto',
  'envoy/config/endpoint/v3/endpoint.proto',
  'envoy/extensions/transport_sockets/tls/v3/tls.proto',
];

export async function envoySchema(): Promise<protobuf.Root> {
  const root = new protobuf.Root();
  root.resolvePath = (_origin, target) =>
    path.isAbsolute(target)
      ? target
      : (FOLDERS.map((folder) => path.join(folder, target)).find((file) => existsSync(file)) ?? target);
  await root.load(FILES, { keepCase: true });
  root.resolveAll();
  return root;
}

/**
 * What is wrong with a value that claims to be the JSON of a message, by the rules of https://protobuf.dev/programming-guides/json:
 * fields that the message has not, values of another kind, two of which only one may be. None where Envoy would take it.
 */
export function problemsOf(root: protobuf.Root, type: string, value: unknown, at = type): readonly string[] {
  const known = WELL_KNOWN[type];
  if (known) return known(root, value) ? [] : [`${at}: ${JSON.stringify(value)} is no ${type}`];
  if (!isObject(value)) return [`${at}: is no object`];
  if (type === 'google.protobuf.Any') return problemsOfAny(root, value, at);
  const message = root.lookupType(type);
  const names = Object.keys(value);
  const twice = message.oneofsArray
    .filter(({ oneof }) => oneof.filter((name) => names.includes(name)).length > 1)
    .map(({ name }) => `${at}: more than one of ${name}`);
  return [
    ...twice,
    ...names.flatMap((name) => {
      const field = message.fields[name];
      return field ? problemsOfField(root, field, value[name], `${at}.${name}`) : [`${at}.${name}: is unknown`];
    }),
  ];
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function problemsOfAny(root: protobuf.Root, value: Readonly<Record<string, unknown>>, at: string): readonly string[] {
  const { '@type': url, ...rest } = value;
  if (typeof url !== 'string' || !url.startsWith('type.googleapis.com/')) return [`${at}: has no @type`];
  const type = url.slice('type.googleapis.com/'.length);
  return root.lookup(type) ? problemsOf(root, type, rest, `${at}(${type})`) : [`${at}: no message ${type}`];
}

function problemsOfField(root: protobuf.Root, field: protobuf.Field, value: unknown, at: string): readonly string[] {
  if (field instanceof protobuf.MapField) {
    if (!isObject(value)) return [`${at}: is no object`];
    return Object.entries(value).flatMap(([key, one]) => problemsOfValue(root, field, one, `${at}[${key}]`));
  }
  if (!field.repeated) return problemsOfValue(root, field, value, at);
  if (!Array.isArray(value)) return [`${at}: is no list`];
  return value.flatMap((one: unknown, index) => problemsOfValue(root, field, one, `${at}[${index}]`));
}

function problemsOfValue(root: protobuf.Root, field: protobuf.Field, value: unknown, at: string): readonly string[] {
  const { resolvedType } = field;
  if (resolvedType instanceof protobuf.Type) return problemsOf(root, resolvedType.fullName.slice(1), value, at);
  if (resolvedType instanceof protobuf.Enum)
    return typeof value === 'string' && value in resolvedType.values ? [] : [`${at}: no ${resolvedType.name}`];
  return isScalar(field.type, value) ? [] : [`${at}: ${JSON.stringify(value)} is no ${field.type}`];
}

function isScalar(type: string, value: unknown): boolean {
  switch (type) {
    case 'string':
      return typeof value === 'string';
    case 'bool':
      return typeof value === 'boolean';
    case 'uint32':
      return Number.isInteger(value) && Number(value) >= 0 && Number(value) < 2 ** 32;
    case 'double':
    case 'float':
      return typeof value === 'number';
    default:
      return false;
  }
}

/** Messages that have a JSON form of their own. */
const WELL_KNOWN: Readonly<Record<string, (root: protobuf.Root, value: unknown) => boolean>> = {
  'google.protobuf.Duration': (_root, value) => typeof value === 'string' && /^\d+(?:\.\d{1,9})?s$/.test(value),
  'google.protobuf.UInt32Value': (_root, value) => isScalar('uint32', value),
  'google.protobuf.BoolValue': (_root, value) => isScalar('bool', value),
  'google.protobuf.Struct': (_root, value) => isObject(value),
};
