import type { RecordedEvent } from '@davit/contracts';
import type { Document, DocumentRef, ProjectionDefinition } from '@davit/projection';

interface Step {
  readonly before: Document | undefined;
  readonly after: Document | undefined;
}

/**
 * The same fold, reckoned once for all who fold the same event into the same document: in one process all services share the
 * events of the log and the states that follow from them. A fold is pure, so nobody can tell.
 */
export function sharedFold(definition: ProjectionDefinition): ProjectionDefinition {
  const refs = new WeakMap<RecordedEvent, readonly DocumentRef[]>();
  const steps = new WeakMap<RecordedEvent, Map<string, Step[]>>();
  const groups = new WeakMap<Document, readonly string[]>();
  return {
    name: definition.name,
    version: definition.version,
    refs: (event) => remembered(refs, event, () => definition.refs(event)),
    evolve(before, event, ref) {
      const ofEvent = remembered(steps, event, () => new Map<string, Step[]>());
      const id = `${ref.kind}\n${ref.key}`;
      const known = ofEvent.get(id) ?? [];
      const found = known.find((step) => step.before === before);
      if (found) return found.after;
      const after = definition.evolve(before, event, ref);
      ofEvent.set(id, [...known, { before, after }]);
      return after;
    },
    groups: (ref, document) => remembered(groups, document, () => definition.groups(ref, document)),
  };
}

function remembered<Key extends object, Value>(memory: WeakMap<Key, Value>, key: Key, make: () => Value): Value {
  const known = memory.get(key);
  if (known !== undefined) return known;
  const made = make();
  memory.set(key, made);
  return made;
}
