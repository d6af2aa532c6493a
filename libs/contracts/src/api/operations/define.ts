import type { z } from 'zod';

/** What a caller must be to ask; each contains those before it. */
export const ROLES = ['viewer', 'operator', 'admin'] as const;
export type Role = (typeof ROLES)[number];

export type HttpMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/**
 * One operation of the HTTP API of spec-api. The route is made of it, requests are read by its schemas, and the published
 * contract is generated from it; a status that is no success is always answered with a problem document.
 */
export interface OperationDefinition {
  /** Stable name, unique, for example `listReplicas`. */
  readonly id: string;
  readonly method: HttpMethod;
  /** As OpenAPI writes it: `/v1/deployments/{tenant}/{name}`. */
  readonly path: `/${string}`;
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  readonly role: Role;
  /** About the whole fleet, or a limit that is set for a tenant: only for who may see and change every tenant. */
  readonly everyTenant?: true;
  /** Parts of the path. A value that does not fit names nothing that exists: 404. */
  readonly params?: z.ZodObject;
  /** Strict: a parameter that nobody reads is refused. */
  readonly query?: z.ZodObject;
  /** Headers that it reads, in lower case, beside those that every request may have. */
  readonly headers?: z.ZodObject;
  readonly body?: z.ZodType;
  /** Answers by status of success. */
  readonly responses: Readonly<Record<number, z.ZodType>>;
  /** Media type of these; JSON where nothing is said. */
  readonly media?: string;
  /** Statuses of problems that are its own, beside those that every operation may answer. */
  readonly problems?: readonly number[];
}

/** States one operation, keeping the types of its schemas. */
export const defineOperation = <const Definition extends OperationDefinition>(definition: Definition): Definition =>
  definition;

type Output<Schema> = Schema extends z.ZodType ? z.output<Schema> : never;

export type ParamsOf<Definition extends OperationDefinition> = Output<Definition['params']>;
export type QueryOf<Definition extends OperationDefinition> = Output<Definition['query']>;
export type BodyOf<Definition extends OperationDefinition> = Output<Definition['body']>;

/** What a handler may give back: the answer, also where its lists are read-only. */
export type AnswerOf<Definition extends OperationDefinition> = Unchanging<
  Output<Definition['responses'][keyof Definition['responses']]>
>;

type Unchanging<Value> = Value extends object ? { readonly [Key in keyof Value]: Unchanging<Value[Key]> } : Value;

/** The one status of success. */
export const successOf = ({ responses }: OperationDefinition): number => Number(Object.keys(responses)[0]);
