/**
 * German translations of the consent notice, by its version. The wording of a version never changes; the English text is
 * the one that is recorded.
 */
export const notices = {
  '2026-11-20': `Darf diese Organisation sehen, wie du nutzt, was sie dir zeigt?

Wenn du zustimmst, sehen die Menschen, die diese Organisation leiten, deinen Namen und deine Kontaktdaten zusammen damit, was du öffnest, wie lange du es ansiehst und wann du wiederkommst. Sie wollen damit verstehen, was dich interessiert, und nehmen deswegen vielleicht Kontakt mit dir auf.

Wenn du nicht zustimmst, kannst du alles genauso nutzen. Was du ansiehst, wird dann ohne deinen Namen gezählt.

Du kannst deine Antwort jederzeit unter „Ich“ ändern. Wenn du deine Einwilligung zurücknimmst, sieht dich die Organisation sofort nicht mehr unter ihren Leads, und was du vorher angesehen hast, bleibt ohne deinen Namen erhalten. Jede Antwort wird mit ihrem Zeitpunkt aufbewahrt, als Nachweis dafür, wie du dich entschieden hast.`,
} as const;
