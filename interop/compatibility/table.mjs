// Prints the results of cases as a table, for a terminal or as Markdown.
import { version } from './gavel.mjs';

// rows: {title, version, verdicts}; a verdict has 'passed', and, if the case failed, a 'reason' and, if it is known, a 'fault'. It may
// have a 'note'. A case that was not run has no verdict.
export async function report(heading, columns, rows, notTried, asMarkdown) {
  const date = new Date().toISOString().slice(0, 10);
  const title = `Gavel ${await version()}, Node.js ${process.versions.node}, ${date}`;
  const others = notTried.map(({ title: name, reason }) => `- ${name}: ${reason}.`).join('\n');
  return asMarkdown
    ? `${title}\n\n${markdown(heading, columns, rows)}\n\n${others}`
    : `\n${title}\n${text(columns, rows)}\n${others}`;
}

export function verdictText({ passed, fault, reason, note }) {
  return passed ? (note ?? 'pass') : `FAIL ${fault ? `${fault} («${reason}»)` : reason}`;
}

function text(columns, rows) {
  const width = Math.max(...rows.map((row) => program(row).length));
  return rows
    .flatMap((row) => [
      `${program(row).padEnd(width)}  ${columns.map(({ name }) => `${name} ${word(row.verdicts.get(name))}`).join(', ')}`,
      ...failures(columns, [row]).map(({ column, verdict }) => `    ${column.name}: ${verdictText(verdict)}`),
    ])
    .join('\n');
}

function markdown(heading, columns, rows) {
  const table = [
    line([heading, 'Version', ...columns.map(({ title }) => title)]),
    line(['---', '---', ...columns.map(() => '---')]),
    ...rows.map(({ title, version, verdicts }) =>
      line([title, version, ...columns.map(({ name }) => word(verdicts.get(name)))]),
    ),
  ];
  const failed = failures(columns, rows);
  if (failed.length === 0) {
    return table.join('\n');
  }
  // One row for each reason, since one fault often affects many programs.
  const reasons = Map.groupBy(failed, ({ verdict }) => verdict.fault ?? verdict.reason);
  const unique = (names) => [...new Set(names)].join(', ');
  return [
    ...table,
    '',
    line(['Failure', 'Cases', `${heading}s`]),
    line(['---', '---', '---']),
    ...[...reasons].map(([reason, all]) =>
      line([escape(reason), unique(all.map(({ column }) => column.title)), unique(all.map(({ row }) => program(row)))]),
    ),
  ].join('\n');
}

const program = ({ title, version }) => `${title} ${version}`;
export const line = (cells) => `| ${cells.join(' | ')} |`;
const word = (verdict) => (verdict === undefined ? '–' : verdict.passed ? (verdict.note ?? 'pass') : '**fail**');
const escape = (words) => words.replaceAll('|', '\\|').replaceAll('<', '&lt;');

// The failed cases of the programs.
function failures(columns, rows) {
  return rows
    .flatMap((row) => columns.map((column) => ({ row, column, verdict: row.verdicts.get(column.name) })))
    .filter(({ verdict }) => verdict && !verdict.passed);
}
