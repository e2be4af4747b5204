import ts from 'typescript';

/**
 * Reports conditional text in JSX, and text after a conditional element, that has siblings and no element of its own. A
 * browser that translates the page replaces text nodes. React then throws as it removes, or inserts before, a node that
 * the page no longer has, or changes one that nobody sees.
 */
export const bareText = {
  meta: {
    type: 'problem',
    schema: [],
    messages: {
      appears:
        'Put this conditional text into an element, such as <span>: page translation breaks it otherwise.',
      neighbour:
        'Put the text after this into an element, such as <span>: page translation breaks it otherwise.',
    },
  },
  create(context) {
    const { program, getTypeAtLocation } = context.sourceCode.parserServices ?? {};
    /** The kinds of value that an expression can have, as far as its type tells. */
    const kindsOf = (node) => {
      if (!program) return [];
      const type = getTypeAtLocation(node);
      return (type.isUnion() ? type.types : [type]).map(({ flags }) => flags);
    };
    /** A component's children, which can be anything, are up to those who pass them. */
    const isText = (node) => {
      const kinds = kindsOf(node);
      return (
        isWritten(node) ||
        (kinds.some((kind) => kind & text) && kinds.every((kind) => kind & (text | nothing)))
      );
    };
    const mayBeNothing = (node) => isText(node) && kindsOf(node).some((kind) => kind & nothing);
    const check = ({ children }) => {
      const shown = children.filter(isShown);
      if (shown.length < 2) return;
      shown.forEach((child, place) => {
        if (child.type !== 'JSXExpressionContainer') return;
        const { expression } = child;
        const isBare = isConditional(expression)
          ? branches(expression).some(isText)
          : mayBeNothing(expression);
        if (isBare) context.report({ node: child, messageId: 'appears' });
        else if (isConditional(expression) && isTextChild(shown[place + 1]))
          context.report({ node: child, messageId: 'neighbour' });
      });
    };
    return { JSXElement: check, JSXFragment: check };
  },
};

/** Whether React renders this child: neither a comment nor white space with a line break. */
const isShown = (child) =>
  child.type === 'JSXText'
    ? child.value.trim() !== '' || !child.value.includes('\n')
    : child.type !== 'JSXExpressionContainer' || child.expression.type !== 'JSXEmptyExpression';

const isConditional = ({ type }) => type === 'ConditionalExpression' || type === 'LogicalExpression';

/** What an expression can evaluate to, as far as its conditions show. */
function branches(expression) {
  if (expression.type === 'ConditionalExpression')
    return [...branches(expression.consequent), ...branches(expression.alternate)];
  if (expression.type === 'LogicalExpression') {
    const right = branches(expression.right);
    return expression.operator === '&&' ? right : [...branches(expression.left), ...right];
  }
  return [expression];
}

const text = ts.TypeFlags.StringLike | ts.TypeFlags.NumberLike;
const nothing = ts.TypeFlags.Undefined | ts.TypeFlags.Null | ts.TypeFlags.BooleanLike;

const isWritten = ({ type, value }) =>
  type === 'TemplateLiteral' || (type === 'Literal' && typeof value === 'string');

const isTextChild = (child) =>
  child?.type === 'JSXText' || (child?.type === 'JSXExpressionContainer' && isWritten(child.expression));
