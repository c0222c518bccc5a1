// Retired words, and references to documents that are not in the repository.
'use strict';
const { files, generated, lines, violation, isTest } = require('./sources.cjs');

const retiredParts = new Set(
  ('rooms door doors house houses walls purse purses shelf shelves shelved guest guests easel easels newcomer newcomers ' +
    'whoever nobody somebody anybody film films unfit flaw flaws ground grounds news').split(' '),
);
/** Names that are frozen, data of tests, and words of others. */
const allowedNames = /\b(anybody@|nobody@|AKNOBODY|ClickHouse|reuid=nobody|nobody:nogroup|Film and Television|Film und Fernsehen|media_without_walls|ada\+news)\b/gi;
const retiredPhrases =
  /\b(is told|are told|goes on|lies in|the own|media[ _-]box|making_at|making_id|letter[ _-]?stop|join link|stop[ _-](page|letters?)|(?<!there )is none|stands(?!-in| in\b| for\b)|of its own(?! \w))\b/i;
/** Words that are retired in names of types and components only. */
const retiredTypeParts = new Set('Trouble Refusal Touch Facts Letter Spot Booking Deed Gain Purse Keyhole'.split(' '));
/** Whole names of types that say too little, or meant several things. */
const retiredTypes = new Set(
  ('Came Arrived Stored Known Asked Answer Shown Sent Kept Wrong Flaw Fault Stop Stuck Mismatch Reply Place Places Guest Host Welcome ' +
    'Lane Wire Blanks Round Newcomer Visit Dropped Parts Line Sign Ladder Climb Scene World Site Town Ground House Rig Kit Bench Program').split(' '),
);
/** Where such a name is the term: a line of output, a stored value of any enum, the visit of docs/definitions.md. */
const keptTypes = new Set([
  'crates/server/src/admin/line.rs Line', 'crates/db/src/stored.rs Stored', 'crates/db/src/stored.rs Line', 'crates/analytics/src/definitions/visit.rs Visit',
]);
const declaredType = /\b(?:class|const|enum|function|interface|struct|trait|type) (?=[A-Z]\w*[a-z])(\w+)/;
const wholeType = /\b(?:class|enum|interface|struct|trait|type) ([A-Z]\w*)/;
const dangling = /\b(ANLY|API|AUTH|BILL|CONST|CONT|ENT|ENUM|ERR|EXPORT|HOME|INV|LEAD|ONB|ORG|PLAY|PROD|PROF|ROLE|SET|SHELL|USER|VALID|[GNRSV])-\d{2,3}\b|\b(spec|rules|layout|findings)(\.md\b| section\b| \d)/i;
const prose = files.filter((file) => /\.(rs|ts|tsx|mjs|css|html|md|toml|sh)$|^(Makefile|tools\/\w+|\.ci\/run)$/.test(file));
for (const file of prose.filter((name) => !generated.has(name) && !['tools/tidy.d/language.cjs', 'tools/tidy.d/sizes.cjs'].includes(name))) {
  lines(file).forEach((text, at) => {
    // Titles and addresses that tests make up are data.
    const words = (isTest(file) ? text.replace(/"[^"]*"|'[^']*'|`[^`]*`|\/[^/ ][^/]*\//g, '') : text).replace(allowedNames, '');
    const parts = words.match(/[A-Z]?[a-z]+|[A-Z]+(?![a-z])/g) ?? [];
    const typeParts = words.match(declaredType)?.[1].match(/[A-Z][a-z]+/g) ?? [];
    const retired =
      parts.find((part) => retiredParts.has(part.toLowerCase())) ??
      typeParts.find((part) => retiredTypeParts.has(part)) ??
      words.match(retiredPhrases)?.[0];
    if (retired) violation(file, at + 1, `"${retired}" is a retired word: use the terms of docs/glossary.md and the style of CONTRIBUTING.md`);
    const named = words.match(wholeType)?.[1];
    if (named && retiredTypes.has(named) && !keptTypes.has(`${file} ${named}`)) {
      violation(file, at + 1, `the type "${named}" needs a name that says what it is`);
    }
    const missing = text.match(dangling)?.[0];
    if (missing) violation(file, at + 1, `"${missing}" refers to a document that is not in the repository`);
  });
}
