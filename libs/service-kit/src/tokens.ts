/** What `ServiceModule` provides, by token: interfaces leave no trace at run time. */
export const ENVIRONMENT = Symbol('davit:environment');
export const CONFIG = Symbol('davit:config');
export const LOGGER = Symbol('davit:logger');
export const BUS = Symbol('davit:bus');
export const EVENT_LOG = Symbol('davit:event-log');
export const RAW_LOG = Symbol('davit:raw-log');
export const HTTP_CLIENT = Symbol('davit:http-client');
export const LEASES = Symbol('davit:leases');
export const LOG_FEED = Symbol('davit:log-feed');
export const RELAY = Symbol('davit:relay');
export const PROJECTION_STORES = Symbol('davit:projection-stores');
export const PROJECTION = Symbol('davit:projection');
export const READ_MODEL = Symbol('davit:read-model');
export const CONTROL_LOOP = Symbol('davit:control-loop');
export const SERVICE_PORTS = Symbol('davit:service-ports');
export const SERVICE_NAME = Symbol('davit:service-name');
export const DEFINITION = Symbol('davit:definition');
