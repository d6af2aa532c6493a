import type { IntentAnswer, IntentKind, IntentVerb } from '@davit/contracts';
import { type UseMutationResult, useMutation } from '@tanstack/react-query';
import { ask } from '../api/http.js';

/**
 * Asks for something. Each opening of a dialogue has a key of its own: pressing twice, or again after a lost answer, asks once.
 */
export function useIntent<Kind extends IntentKind>(
  kind: Kind,
  verb: IntentVerb<Kind>,
  idempotencyKey: string,
): UseMutationResult<IntentAnswer, Error, object> {
  return useMutation({
    mutationFn: (body: object) =>
      ask<IntentAnswer>(`/v1/intents/${kind}/${verb}`, {
        method: 'POST',
        body: JSON.stringify(body),
        headers: { 'content-type': 'application/json', 'idempotency-key': idempotencyKey },
      }),
  });
}
