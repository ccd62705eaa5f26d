// Whether a fork is of this match, and whether the seats of the match have agreed to it: what `replay verify --parent`
// finds, but for an event that an upcast of the rules has changed.

import { keysOf } from "./reader/fair.mjs";
import { canonical, order } from "./reader/canonical.mjs";
import { wishMessage } from "./reader/trust.mjs";
import { areSignatures, holds, sharedOf } from "./command_audit.mjs";
import { isInt, isMap } from "./record_file.mjs";

/** Hold a fork against its parent, both taken apart; `isWrong`: whether the parent's log has findings of its own. */
export async function auditFork(child, old, isWrong, found) {
  const { fork } = child.header;
  if ("fork" in child.header && isWrong) found("head", null, "fork-parent");
  if (!isMap(fork) || fork.match !== old.header.match) return found("head", null, "fork-head");
  compareEvents(child, old, found);
  const [keys, before] = [keysOf(child.header), keysOf(old.header)];
  if (keys && before && !same(keys.seats, before.seats)) found("head", null, "fork-keys");
  if (!(await isAgreed(child, old, before))) found("signature", null, "fork-signature");
  return undefined;
}

/** Whether the two logs are under the same rules from the first event, so that events can be compared as they stand. */
export const isUnderTheSameRules = (child, old) => child.header.rules === (isInt(old.header.rules, -Infinity) ? old.header.rules : 0);

function compareEvents(child, old, found) {
  const direct = isUnderTheSameRules(child, old);
  for (const [seq, event] of child.events.slice(0, Number(sharedOf(child.header)) + 1).entries()) {
    const before = old.events[seq];
    const isSame = before && (!direct || same([event.actor, event.tag, event.fields], [before.actor, before.tag, before.fields]));
    if (!isSame || !same(event.meta?.by ?? null, before.meta?.by ?? null)) found("head", seq, "fork-event");
  }
}

// After its end a match may be forked without consent, so none is missed where the parent has ended.
async function isAgreed(child, old, keys) {
  const { veil } = old.header;
  if (keys === null || ("veil" in old.header && old.marks === null)) return false;
  const { sign } = child.header;
  const agreed = isMap(sign) && "agreed" in sign ? sign.agreed : [];
  if (!areSignatures(agreed)) return false;
  const left = new Set([...agreed.map(([seat]) => seat), ...old.events.filter(({ meta }) => meta?.by === "new key").map(({ seat }) => seat)]);
  if (old.end === null && keys.seats.some((key, seat) => key !== null && !left.has(seat))) return false;
  return agreed.length === 0 || (veil !== undefined && (await areSigned(child, old, keys, agreed)));
}

// Whether all have signed the fork at one moment.
async function areSigned(child, old, keys, agreed) {
  const shared = Number(sharedOf(child.header)) + 1;
  const isSigned = async (moment, [seat, signature]) =>
    (keys.seats[seat] ?? null) !== null && (await holds(keys.seats[seat], () => wishMessage(old.header.match, seat, moment, old.marks[moment], "fork", shared), signature));
  for (let moment = old.events.length; moment >= 0; moment -= 1) {
    if (!(await isSigned(moment, agreed[0]))) continue;
    for (const each of agreed) if (!(await isSigned(moment, each))) return false;
    return true;
  }
  return false;
}

function same(one, other) {
  try {
    return order(canonical([one]), canonical([other])) === 0;
  } catch {
    return false;
  }
}
