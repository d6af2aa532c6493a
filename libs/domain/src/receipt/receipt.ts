import type {
  EventData,
  EvidenceKind,
  EvidenceOf,
  EvidencePolicy,
  RecordedEvent,
  RolloutMoney,
  ScalingBounds,
  TemplateIdentity,
} from '@davit/contracts';

/** Evidence as it was kept, by the digest of its canonical JSON. */
export type ReceiptEvidence = {
  readonly [Kind in EvidenceKind]: { readonly kind: Kind; readonly digest: string; readonly value: EvidenceOf<Kind> };
}[EvidenceKind];

/** All that a receipt is made of: the events of one rollout with the words of operators on it, and what they cite. */
export type ReceiptSources = {
  /** In the order of the log. */
  readonly events: readonly RecordedEvent[];
  readonly evidence: readonly ReceiptEvidence[];
};

/** Where in the log something stands. */
export type Cited = { readonly position: number; readonly at: string };

export type ReceiptLoadStep = {
  readonly requestsPerSecond: number;
  readonly from: string;
  readonly to: string;
  readonly sent: number;
  readonly ok: number;
  readonly errors: Readonly<Record<string, number>>;
  readonly latencyMs: { readonly p50: number | null; readonly p95: number | null; readonly p99: number | null };
  readonly queueP95Ms: number | null;
  readonly workers: Readonly<Record<string, number>>;
  readonly spend: RolloutMoney | null;
};
export type ReceiptRamp = Cited & {
  readonly ramp: number;
  readonly attempt: number;
  readonly steps: readonly ReceiptLoadStep[];
  /** Null for one that was cut off. */
  readonly converged: boolean | null;
  readonly criterion: string;
  readonly evidenceDigest: string | null;
};

/** One measure, before and after; a figure of null was not measured. */
export type SloRow = {
  readonly metric: string;
  readonly unit: 'ms' | 'share';
  readonly baseline: number | null;
  readonly candidate: number | null;
  readonly delta: number | null;
  /** What was promised. */
  readonly objective: number | null;
  /** How sure the verdict is, by the rules on this measure. */
  readonly confidence: readonly {
    readonly rule: string;
    readonly outcome: string;
    readonly evidence: number | string | null;
    readonly needed: number | string | null;
  }[];
};

export type WorkerStep = Cited & {
  readonly workerId: number;
  /** `gone`: no longer listed. */
  readonly status: string;
  readonly on: 'candidate' | 'old' | 'other' | 'unknown' | null;
  readonly by: string;
  readonly inFlight: number | null;
};

export type SpendLine = {
  readonly what: string;
  /** The evidence or event that says so. */
  readonly source: string;
  readonly from: string;
  readonly to: string;
  /** Null: the provider did not say. */
  readonly amount: string | null;
  readonly currency: string | null;
};
export type Spend = {
  readonly lines: readonly SpendLine[];
  readonly totals: readonly RolloutMoney[];
  /** Stretches of time of which nothing is known. */
  readonly unknown: number;
};

export type ApprovalRecord = Cited & {
  readonly required: boolean;
  readonly evidenceDigest: string;
  readonly worstCaseSpend: RolloutMoney | null;
  readonly deadlineAt: string;
};
export type OperatorWord = Cited & {
  readonly verb: 'approved' | 'rejected' | 'aborted';
  readonly actor: string | null;
  readonly reason: string;
  readonly evidenceDigest: string | null;
};

export type EvidenceEntry = {
  readonly digest: string;
  /** Null: cited, and not there. */
  readonly kind: EvidenceKind | null;
  readonly citedAt: readonly number[];
};

export type Receipt = {
  readonly version: 1;
  readonly rollout: {
    readonly id: string;
    readonly deployment: string;
    readonly revision: number;
    readonly fromRevision: number;
    readonly replicaId: string;
    readonly startedAt: string;
    readonly endedAt: string | null;
  };
  readonly final: {
    readonly state: 'accepted' | 'rejected' | 'rolled-back' | 'refused' | 'unfinished';
    readonly reason: string | null;
    readonly detail: string;
    /** What production runs on by the last event that tells. */
    readonly serves: 'candidate' | 'old' | 'unknown';
    readonly productionTouched: boolean;
    readonly canaryRemoved: boolean | null;
  };
  readonly endpoint: {
    readonly externalKey: string | null;
    readonly workergroupId: number | null;
    readonly canaryKey: string | null;
  };
  readonly templates: { readonly old: TemplateIdentity | null; readonly new: TemplateIdentity | null };
  readonly policy: EvidencePolicy | null;
  readonly proof: {
    readonly passed: boolean;
    readonly step: string | null;
    readonly detail: string;
    readonly loadMs: number | null;
    readonly readinessMs: number | null;
    readonly responseSchema: string | null;
    readonly answers: number;
  } | null;
  readonly bounds: {
    readonly set: ScalingBounds | null;
    readonly arithmetic: EventData<'davit.rollout.bounds-set'>['arithmetic'];
    readonly conflicts: readonly string[];
    readonly applied: readonly (Cited & { readonly to: string; readonly readBack: ScalingBounds })[];
  };
  readonly load: readonly ReceiptRamp[];
  readonly slo: readonly SloRow[];
  readonly workers: readonly WorkerStep[];
  readonly spend: Spend;
  readonly verdict: (Cited & Omit<EventData<'davit.rollout.verdict-reached'>, 'rolloutId'>) | null;
  readonly approvals: { readonly asked: readonly ApprovalRecord[]; readonly words: readonly OperatorWord[] };
  readonly evidence: readonly EvidenceEntry[];
  /** Every event that this rests on. */
  readonly events: readonly (Cited & { readonly type: string; readonly id: string })[];
};
