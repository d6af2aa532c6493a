export const INTENT_HANDLER = Symbol('spec-api:intent-handler');
export const ASSESS = Symbol('spec-api:assess');
export const EVENT_TAIL = Symbol('spec-api:event-tail');
export const TENANT_MIRROR = Symbol('spec-api:tenant-mirror');
