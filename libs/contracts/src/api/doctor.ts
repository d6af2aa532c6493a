import { z } from 'zod';

/** One thing that was looked at, and how to mend it. */
export const doctorCheck = z.object({
  name: z.string(),
  ok: z.boolean(),
  detail: z.string(),
  remedy: z.string().nullable(),
});
export type DoctorCheck = z.infer<typeof doctorCheck>;

/** Answer of `GET /v1/doctor`, and on `davit.rpc.vast-serverless.doctor`; nothing is changed or recorded. */
export const doctorAnswer = z.object({ checks: z.array(doctorCheck) });
export type DoctorAnswer = z.infer<typeof doctorAnswer>;
