import { describe, expect, test } from '@jest/globals';
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';

const root = path.resolve(import.meta.dirname, '..', '..');

/** Names that hold money. What counts or names it (`priceCount`, `amountPath`) ends otherwise. */
const MONEY =
  /^(?:.*(?:Amount|Price|Cost|Hourly|Budget|Spent|Billed)|amount|price|cost|hourly|spent|billed|amountMs|dph\w*)$/;
const MENTIONS_MONEY = /amount|price|cost|hourly|budget|spent|billed|dph/i;
const FLOAT_CALLS = new Set(['Number', 'parseFloat', 'Number.parseFloat', 'Math.round', 'Math.floor', 'Math.ceil']);
const ARITHMETIC = new Set([ts.SyntaxKind.AsteriskToken, ts.SyntaxKind.SlashToken, ts.SyntaxKind.MinusToken]);
const FLOAT_SCHEMAS = new Set(['z.number', 'z.float64', 'z.float32', 'z.coerce.number']);

/** Where an amount may become a number, and why. */
const ALLOWED: Readonly<Record<string, string>> = {
  'apps/dashboard/src/format/chart-value.ts':
    'a height on a screen is a float; nothing is decided, added or told by it',
  'apps/orchestrator/src/telemetry/chart-value.ts':
    'a sample of Prometheus is a float; nothing is decided or kept by it',
};

const SOURCES = ['libs', 'apps'].flatMap((folder) =>
  readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => /^[^/]+\/src\/.*\.tsx?$/.test(file) && !file.includes('.test.') && !file.includes('node_modules'))
    .map((file) => path.join(folder, file)),
);

/** Where money passes through a float, `file:line: text`. Read from names, since that is how amounts are known everywhere. */
function floatsOfMoney(file: string, text: string): readonly string[] {
  // Most files name no money at all; parsing them would find nothing.
  if (!MENTIONS_MONEY.test(text)) return [];
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const found: string[] = [];
  const tell = (node: ts.Node): void => {
    const { line } = source.getLineAndCharacterOfPosition(node.getStart());
    found.push(`${file}:${line + 1}: ${node.getText().replace(/\s+/g, ' ').slice(0, 120)}`);
  };
  const visit = (node: ts.Node): void => {
    if (isFloatOfMoney(node)) tell(node);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

function isFloatOfMoney(node: ts.Node): boolean {
  if (ts.isCallExpression(node)) {
    return FLOAT_CALLS.has(node.expression.getText()) && node.arguments.some(namesMoney);
  }
  if (ts.isPrefixUnaryExpression(node)) return node.operator === ts.SyntaxKind.PlusToken && namesMoney(node.operand);
  if (ts.isBinaryExpression(node)) {
    return ARITHMETIC.has(node.operatorToken.kind) && (namesMoney(node.left) || namesMoney(node.right));
  }
  if (ts.isPropertyAssignment(node)) return MONEY.test(node.name.getText()) && isFloatSchema(node.initializer);
  return false;
}

/** `price.amount`, `price?.amount`, `row['amount']`, `amount ?? '0'`: what the expression ends in. */
function namesMoney(node: ts.Node): boolean {
  if (ts.isIdentifier(node)) return MONEY.test(node.text);
  if (ts.isPropertyAccessExpression(node)) return MONEY.test(node.name.text);
  if (ts.isElementAccessExpression(node)) {
    return ts.isStringLiteral(node.argumentExpression) && MONEY.test(node.argumentExpression.text);
  }
  if (ts.isParenthesizedExpression(node) || ts.isAsExpression(node)) return namesMoney(node.expression);
  if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.QuestionQuestionToken) {
    return namesMoney(node.left) || namesMoney(node.right);
  }
  return false;
}

const isFloatSchema = (node: ts.Node): boolean => {
  if (ts.isCallExpression(node)) return FLOAT_SCHEMAS.has(node.expression.getText()) || isFloatSchema(node.expression);
  return ts.isPropertyAccessExpression(node) && isFloatSchema(node.expression);
};

describe('law-14: money never passes through a float', () => {
  test('no source turns an amount into a number, computes with one as a number, or has a schema that would', () => {
    expect(SOURCES.length).toBeGreaterThan(300);
    const foundIn = (file: string) => floatsOfMoney(file, readFileSync(path.join(root, file), 'utf8'));
    expect(SOURCES.filter((file) => !(file in ALLOWED)).flatMap(foundIn)).toEqual([]);
    for (const file of Object.keys(ALLOWED)) expect(foundIn(file)).toHaveLength(1);
  });

  test.each([
    'Number(price.amount)',
    "Number.parseFloat(row['amount'])",
    "parseFloat(maxHourlyPrice ?? '0')",
    '+(signal.price?.amount as string)',
    'price.amount * replicas',
    'hours / hourly',
    'const schema = { amount: z.number().nonnegative() };',
    'const entry = { dph_total: z.coerce.number() };',
  ])('it would be found: %s', (text) => expect(floatsOfMoney('x.ts', text)).toHaveLength(1));

  test.each([
    'multiplyAmount(price.amount, 2)',
    'Number(count)',
    'nowMs - priceSeenMs',
    'const schema = { amount: z.string() };',
  ])('it is no float: %s', (text) => expect(floatsOfMoney('x.ts', text)).toEqual([]));
});
