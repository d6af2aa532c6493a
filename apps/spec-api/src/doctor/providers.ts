import { type Bus, request } from '@davit/bus';
import { doctorAnswer, type DoctorCheck, subjects } from '@davit/contracts';

/** Services that say what their provider lets them do. */
const ASKED = ['vast-serverless'] as const;

/** What providers let their services do, as those see it. A service that does not answer is told so, and is no fault here. */
export async function askProviders(bus: Bus, timeoutMs: number): Promise<readonly DoctorCheck[]> {
  if (!bus.status().connected) return [];
  return (await Promise.all(ASKED.map((service) => ask(bus, service, timeoutMs)))).flat();
}

async function ask(bus: Bus, service: (typeof ASKED)[number], timeoutMs: number): Promise<readonly DoctorCheck[]> {
  const notKnown = (detail: string): readonly DoctorCheck[] => [{ name: service, ok: true, detail, remedy: null }];
  try {
    const reply = await request(bus, subjects.rpc(service, 'doctor'), {}, { timeoutMs, reply: doctorAnswer });
    switch (reply.outcome) {
      case 'answered':
        return reply.body.checks;
      case 'refused':
        return notKnown(`not known: ${reply.problem.detail ?? reply.problem.title}`);
      case 'no-responders':
        return notKnown('does not run');
      case 'timeout':
        return notKnown(`not known: its provider has not answered within ${timeoutMs / 1_000} s`);
      case 'invalid':
        return notKnown('not known: its answer cannot be read');
    }
  } catch (error) {
    return notKnown(`not known: ${error instanceof Error ? error.message : String(error)}`);
  }
}
