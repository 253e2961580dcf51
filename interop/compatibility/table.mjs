// Prints the results of cases as a table, for a terminal or as Markdown.

// rows: {title, version, verdicts}; a verdict has 'passed', or a 'reason', or neither if the case was not run.
export function text(columns, rows) {
  const width = Math.max(...rows.map(({ title, version }) => `${title} ${version}`.length));
  return rows
    .flatMap(({ title, version, verdicts }) => [
      `${`${title} ${version}`.padEnd(width)}  ${columns.map(({ name }) => `${name} ${word(verdicts.get(name))}`).join(', ')}`,
      ...columns.filter(({ name }) => verdicts.get(name)?.reason).map(({ name }) => `    ${name}: ${verdicts.get(name).reason}`),
    ])
    .join('\n');
}

export function markdown(heading, columns, rows) {
  const line = (cells) => `| ${cells.join(' | ')} |`;
  const failed = rows.flatMap(({ title, verdicts }) =>
    columns.filter(({ name }) => verdicts.get(name)?.reason).map((column) => [title, column.title, escape(verdicts.get(column.name).reason)]),
  );
  return [
    line([heading, 'Version', ...columns.map(({ title }) => title)]),
    line(['---', '---', ...columns.map(() => '---')]),
    ...rows.map(({ title, version, verdicts }) => line([title, version, ...columns.map(({ name }) => word(verdicts.get(name)))])),
    ...(failed.length === 0 ? [] : ['', line([heading, 'Case', 'Failure']), line(['---', '---', '---']), ...failed.map(line)]),
  ].join('\n');
}

const word = (verdict) => (verdict === undefined ? '–' : verdict.passed ? 'pass' : verdict.skipped ? '–' : '**fail**');
const escape = (words) => words.replaceAll('|', '\\|').replaceAll('<', '&lt;');
