import { Alert, Button } from 'antd';
import type { AddressProblem } from './usage.view';

interface AddressProblemsProps {
  problems: readonly AddressProblem[];
  onTidy: () => void;
}

const shownMaxCharacters = 60;
const shorten = (text: string) =>
  text.length > shownMaxCharacters ? `${text.slice(0, shownMaxCharacters)}…` : text;

/** What in the address could not be understood, and the way out; what is shown leaves it out. */
export function AddressProblems({ problems, onTidy }: AddressProblemsProps) {
  if (problems.length === 0) return null;
  return (
    <Alert
      type="warning"
      showIcon
      role="alert"
      className="usage-notice"
      title="Part of the address was not understood"
      description={
        <>
          <ul className="usage-problems">
            {problems.map(({ name, value, why }) => (
              <li key={name}>
                <code>{shorten(name)}</code>
                {value !== '' && <> “{shorten(value)}”</>} {why}
              </li>
            ))}
          </ul>
          What you see leaves it out.
        </>
      }
      action={<Button onClick={onTidy}>Remove it</Button>}
    />
  );
}
