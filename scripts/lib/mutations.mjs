import ts from 'typescript';

const flipped = {
  [ts.SyntaxKind.EqualsEqualsEqualsToken]: '!==',
  [ts.SyntaxKind.ExclamationEqualsEqualsToken]: '===',
  [ts.SyntaxKind.LessThanToken]: '>=',
  [ts.SyntaxKind.LessThanEqualsToken]: '>',
  [ts.SyntaxKind.GreaterThanToken]: '<=',
  [ts.SyntaxKind.GreaterThanEqualsToken]: '<',
  [ts.SyntaxKind.AmpersandAmpersandToken]: '||',
  [ts.SyntaxKind.BarBarToken]: '&&',
  [ts.SyntaxKind.PlusToken]: '-',
  [ts.SyntaxKind.MinusToken]: '+',
};

/**
 * Every mutation of a program by one edit: an inverted condition, a missing statement or `await`, another number, text
 * or boolean. Each is `{ line, what, starts, apply }`: `starts` are the places where the code around it starts, innermost
 * first, as `line:column` with columns from 0; `apply()` returns the whole text.
 */
export function mutationsOf(source, fileName) {
  const found = [];
  const file = ts.createSourceFile(fileName, source, ts.ScriptTarget.Latest, true);
  const placeOf = (node) => file.getLineAndCharacterOfPosition(node.getStart());
  const add = (node, what, replacement, start = node.getStart(), end = node.end) =>
    found.push({
      line: placeOf(node).line + 1,
      what,
      starts: around(node).map((each) => `${placeOf(each).line + 1}:${placeOf(each).character}`),
      apply: () => source.slice(0, start) + replacement + source.slice(end),
    });
  const visit = (node) => {
    // Types, imports, exports and decorators are not mutated.
    if (ts.isTypeNode(node) || ts.isImportDeclaration(node) || ts.isInterfaceDeclaration(node)) return;
    if (ts.isTypeAliasDeclaration(node) || ts.isExportDeclaration(node) || ts.isDecorator(node)) return;
    if (ts.isBinaryExpression(node) && flipped[node.operatorToken.kind]) {
      const { operatorToken } = node;
      const other = flipped[operatorToken.kind];
      add(operatorToken, `'${operatorToken.getText()}' becomes '${other}'`, other);
    }
    if (ts.isPrefixUnaryExpression(node) && node.operator === ts.SyntaxKind.ExclamationToken) {
      add(node, "'!' is left out", node.operand.getText());
    }
    if (ts.isExpressionStatement(node) && ts.isBlock(node.parent)) {
      add(node, `'${node.getText().split('\n')[0].slice(0, 60)}' is left out`, ';');
    }
    if (ts.isAwaitExpression(node)) add(node, "'await' is left out", node.expression.getText());
    if (ts.isNumericLiteral(node)) {
      const other = node.text === '0' ? '1' : `${node.text}1`;
      add(node, `${node.text} becomes ${other}`, other);
    }
    if (node.kind === ts.SyntaxKind.TrueKeyword) add(node, 'true becomes false', 'false');
    if (node.kind === ts.SyntaxKind.FalseKeyword) add(node, 'false becomes true', 'true');
    if (ts.isStringLiteral(node) && !ts.isPropertyAssignment(node.parent?.parent) && node.text !== '') {
      add(node, `'${node.text.slice(0, 40)}' becomes 'mutant'`, "'mutant'");
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

/** The node and the nodes that contain it, without the file. */
const around = (node) => (ts.isSourceFile(node) ? [] : [node, ...around(node.parent)]);

/** Returns a function that gives random whole numbers below `n`, the same for the same seed (mulberry32). */
export function randomBy(seed) {
  let state = seed >>> 0;
  return (n) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % n;
  };
}
