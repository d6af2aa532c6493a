import {
  type FieldProblem,
  type TrafficReportRequest,
  contentProblem,
  describeIssues,
  trafficReport,
} from '@davit/contracts';

export type ReadReport =
  | { readonly ok: true; readonly report: TrafficReportRequest }
  | { readonly ok: false; readonly problems: readonly FieldProblem[] };

/** Reads what a gateway sent; each problem names the field, its value and the remedy. */
export function readReport(body: unknown): ReadReport {
  const parsed = trafficReport.safeParse(body);
  if (!parsed.success) return { ok: false, problems: describeIssues(parsed.error.issues, trafficReport, body) };
  const problem = contentProblem(parsed.data);
  return problem ? { ok: false, problems: [problem] } : { ok: true, report: parsed.data };
}

/** How a refusal is told, over HTTP and over the bus. */
export const REFUSAL = {
  status: 422,
  code: 'invalid-report',
  title: 'The report is not valid',
  detail: 'nothing of the report was taken; mend it and send it again',
} as const;
