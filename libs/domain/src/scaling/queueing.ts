/**
 * The chance that a request waits at all with `servers` places and an offered load in Erlang: Erlang's C formula, by the stable
 * recursion over Erlang B (Cooper, Introduction to Queueing Theory, 2nd ed., 1981, sections 3.4 and 3.5).
 */
export function chanceOfWait(servers: number, offered: number): number {
  if (offered >= servers) return 1;
  let blocked = 1;
  for (let server = 1; server <= servers; server++) blocked = (offered * blocked) / (server + offered * blocked);
  return blocked / (1 - (offered / servers) * (1 - blocked));
}

/**
 * The wait that 95 % of requests stay below, seconds, where requests come at random and take times that vary exponentially: the
 * usual approximation, on the careful side for generations of capped length.
 *
 * @param perServer requests a second that one place serves
 */
export function waitP95S(servers: number, arrivals: number, perServer: number): number {
  const chance = chanceOfWait(servers, arrivals / perServer);
  if (chance <= 0.05) return 0;
  const spare = servers * perServer - arrivals;
  return spare <= 0 ? Infinity : Math.log(chance / 0.05) / spare;
}
