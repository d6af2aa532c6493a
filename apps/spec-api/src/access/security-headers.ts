import type { FastifyHelmetOptions } from '@fastify/helmet';

const SELF = "'self'";

/**
 * What browsers are told. Scripts come from files of this server alone. The page's component library writes its sizes and colours
 * into style elements, which is why styles may stand in the page.
 */
export const SECURITY_HEADERS: FastifyHelmetOptions = {
  contentSecurityPolicy: {
    useDefaults: false,
    directives: {
      defaultSrc: [SELF],
      scriptSrc: [SELF],
      styleSrc: [SELF, "'unsafe-inline'"],
      imgSrc: [SELF, 'data:'],
      connectSrc: [SELF],
      objectSrc: ["'none'"],
      baseUri: ["'none'"],
      formAction: [SELF],
      frameAncestors: ["'none'"],
    },
  },
  frameguard: { action: 'deny' },
  referrerPolicy: { policy: 'no-referrer' },
};
