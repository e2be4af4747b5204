import { CheckOutlined, DownOutlined, QuestionOutlined, ReloadOutlined } from '@ant-design/icons';
import type { Project } from '@orange-id/contract/projects.schema';
import { useId, useState } from 'react';
import { KeyCurl } from '../../ui/KeyCurl';
import { LightButton } from '../../ui/LightButton';
import { LinkButton } from '../../ui/LinkButton';
import { hasOpenStep, nextStep, progressOf, type Step, type StepState } from './started.steps';
import styles from './dashboard.module.css';

interface GettingStartedProps {
  steps: readonly Step[];
  projects: readonly Project[] | undefined;
  onRetry: () => void;
}

/** The steps to a first call; collapsed to one line when they are done. */
export function GettingStarted({ steps, projects, onRetry }: GettingStartedProps) {
  const { done, isLoading, isDone } = progressOf(steps);
  const hasUnknown = steps.some(({ state }) => state === 'unknown');
  const [isOpen, setIsOpen] = useState(false);
  const next = nextStep(steps);
  const listId = useId();
  const isShown = isDone ? isOpen : !isLoading || hasOpenStep(steps);
  const newest = projects?.toSorted((a, b) => b.createdAt.localeCompare(a.createdAt))[0];

  return (
    <section
      className={`light-card ${styles.started}`}
      aria-labelledby={`${listId}-title`}
      data-done={isDone}
    >
      <div className={`light-card-head ${styles.startedHead}`}>
        {isDone && <StepMark state="done" />}
        <div className={styles.startedWords}>
          <h2 id={`${listId}-title`}>Getting started</h2>
          {isLoading ? (
            <span className="skeleton skeleton-line-12" role="status" aria-label="Loading steps" />
          ) : (
            <span className="note tabular" role="status">
              {isDone ? `All ${steps.length} steps done` : `${done} of ${steps.length} done`}
            </span>
          )}
        </div>
        {isDone && (
          <LightButton
            type="text"
            size="small"
            aria-expanded={isOpen}
            aria-controls={listId}
            icon={<DownOutlined aria-hidden rotate={isOpen ? 180 : 0} />}
            onClick={() => setIsOpen(!isOpen)}
          >
            <span>{isOpen ? 'Hide' : 'Show'}</span>
            <span className="visually-hidden"> steps</span>
          </LightButton>
        )}
        {hasUnknown && !isLoading && (
          <LightButton size="small" icon={<ReloadOutlined aria-hidden />} onClick={onRetry}>
            Retry
          </LightButton>
        )}
      </div>
      {isShown && (
        <ol id={listId} className={`stack ${styles.steps}`}>
          {steps.map((step) => (
            <li key={step.name} className={styles.step} data-step={step.name} data-state={step.state}>
              <StepMark state={step.state} />
              <div className={styles.stepWords}>
                <h3>
                  <span className="visually-hidden">{stateText[step.state]}: </span>
                  {step.title}
                </h3>
                <p className="note">{step.state === 'unknown' ? 'Failed to load.' : step.help}</p>
                {step === next && step.way && (
                  <LinkButton type="primary" to={step.way.to}>
                    {step.way.action}
                  </LinkButton>
                )}
              </div>
            </li>
          ))}
        </ol>
      )}
      {isShown && next?.name === 'call' && newest && (
        <div className={`stack ${styles.startedCurl}`}>
          <p className="note">Run this in a terminal. It uses the API key for {newest.projectName}.</p>
          <KeyCurl apiKey={newest.apiKey} />
        </div>
      )}
    </section>
  );
}

const stateText: Record<StepState, string> = {
  done: 'Done',
  open: 'To do',
  loading: 'Loading',
  unknown: 'Unknown',
};

function StepMark({ state }: { state: StepState }) {
  return (
    <span className={styles.mark} data-state={state} aria-hidden>
      {state === 'done' && <CheckOutlined />}
      {state === 'unknown' && <QuestionOutlined />}
    </span>
  );
}
