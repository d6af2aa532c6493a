export { decimalText, parseDecimalJson } from '@davit/domain';
