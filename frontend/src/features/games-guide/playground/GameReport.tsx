import { createPortal } from 'react-dom';
import type { Check } from './game.checks';
import { resultWords } from './GameChecks';
import styles from './playground.module.css';

/** The report on paper, for the submission form: printed instead of the page, and never shown on the screen. */
export function GameReport({ name, checks }: { name: string; checks: readonly Check[] }) {
  return createPortal(
    <div className={styles.report}>
      <h1>Report on the game “{name}”</h1>
      <p>
        {new Date().toISOString().slice(0, 16).replace('T', ' ')} UTC ·{' '}
        {checks.filter(({ result }) => result === 'passed').length} of {checks.length} checks passed
      </p>
      <table>
        <thead>
          <tr>
            <th scope="col">Check</th>
            <th scope="col">Result</th>
            <th scope="col">Found</th>
            <th scope="col">Expected</th>
          </tr>
        </thead>
        <tbody>
          {checks.map(({ id, title, result, found, expected }) => (
            <tr key={id}>
              <th scope="row">{title}</th>
              <td>{resultWords[result]}</td>
              <td>{found}</td>
              <td>{expected.replaceAll('`', '')}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>,
    document.body,
  );
}
