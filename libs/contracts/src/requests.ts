import { z } from 'zod';
import { assessAnswer, assessRequest } from './api.js';
import { doctorAnswer } from './api/doctor.js';
import { trafficAnswer, trafficReport } from './api/traffic.js';

export interface BusRequest {
  readonly summary: string;
  readonly request: z.ZodType;
  readonly answer: z.ZodType;
}

/** Requests that services answer on the bus, `davit.rpc.<service>.<verb>`, beside intents. */
export const BUS_REQUESTS = {
  'capacity-advisor': {
    assess: {
      summary: 'What is known of stock and price of some placements; nothing is changed or recorded',
      request: assessRequest,
      answer: assessAnswer,
    },
  },
  'runtime-prober': {
    'report-traffic': {
      summary: 'What a gateway saw of its requests to the targets of a route',
      request: trafficReport,
      answer: trafficAnswer,
    },
  },
  'vast-serverless': {
    doctor: {
      summary: 'What the provider lets the service do',
      request: z.strictObject({}),
      answer: doctorAnswer,
    },
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, BusRequest>>>>;

export type BusService = keyof typeof BUS_REQUESTS;
export type BusVerb<Service extends BusService> = keyof (typeof BUS_REQUESTS)[Service] & string;
