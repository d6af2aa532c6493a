import type { RecordedEvent } from '@davit/contracts';
import { alarmKeyOf } from '../../lifecycle/evolve-fleet.js';

/** The alarms that are up while a log is read. */
export class OpenAlarms {
  private readonly open = new Map<string, string>();

  see(event: RecordedEvent): void {
    if (event.type === 'davit.fleet.alarm-raised')
      this.open.set(alarmKeyOf(event.data), `${event.data.about}\n${event.data.detail}`);
    if (event.type === 'davit.fleet.alarm-cleared') this.open.delete(alarmKeyOf(event.data));
  }

  /** True when one of them names any of these. */
  name(...names: readonly string[]): boolean {
    for (const text of this.open.values()) if (names.some((name) => mentions(text, name))) return true;
    return false;
  }
}

/** `text` holds `name` as a whole: the name of one replica may begin with the name of another. */
function mentions(text: string, name: string): boolean {
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) {
    const around = `${text[at - 1] ?? ' '}${text[at + name.length] ?? ' '}`;
    if (!/[A-Za-z0-9_/-]/.test(around)) return true;
  }
  return false;
}
