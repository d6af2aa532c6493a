export { PROVIDER_METRICS as METRICS } from '@davit/service-kit';
