export { MESSAGE_METRICS as METRICS } from '@davit/service-kit';
