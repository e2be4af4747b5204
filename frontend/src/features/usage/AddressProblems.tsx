import { Alert, Button } from 'antd';
import type { AddressProblem } from './usage.view';

interface AddressProblemsProps {
  problems: readonly AddressProblem[];
  onTidy: () => void;
}

const shownMaxCharacters = 60;
const shorten = (text: string) =>
  text.length > shownMaxCharacters ? `${text.slice(0, shownMaxCharacters)}…` : text;

/** Lists the invalid parts of the URL and offers to remove them. */
export function AddressProblems({ problems, onTidy }: AddressProblemsProps) {
  if (problems.length === 0) return null;
  const isOne = problems.length === 1;
  return (
    <Alert
      type="warning"
      showIcon
      role="alert"
      title={isOne ? 'A filter in the URL isn’t valid' : 'Some filters in the URL aren’t valid'}
      description={
        <>
          <ul>
            {problems.map(({ name, value, why }) => (
              <li key={name}>
                <span>{name === 'custom range' ? 'The custom range' : <code>{shorten(name)}</code>}</span>
                <span>{value !== '' && ` “${shorten(value)}”`}</span>{' '}
                <span>{isOne ? `${why} Usage ignores it.` : why}</span>
              </li>
            ))}
          </ul>
          <span>{!isOne && 'Usage ignores them.'}</span>
        </>
      }
      action={<Button onClick={onTidy}>{isOne ? 'Remove it' : 'Remove them'}</Button>}
    />
  );
}
