/** An inline PDF. Loaded on demand; fetches only the viewed ranges of a long document. */
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { downloadAddress } from '../download-address.ts';
import { formatBytes } from '../format-bytes.ts';
import card from '../player.module.css';
import type { PlayerProps } from '../player-props.ts';
import { FileIcon } from '../still-surfaces.tsx';
import { pdfTexts, playerTexts } from '../texts.ts';
import { useRenewal } from '../use-renewal.ts';
import { openPdf, type PdfError, type PdfFile, pdfErrorOf } from './pdf-file.ts';
import classes from './pdf-reader.module.css';
import { PdfReader } from './pdf-reader.tsx';

type State =
  | { step: 'opening'; loaded: number; total: number }
  | { step: 'open'; file: PdfFile }
  | { step: 'failed'; error: PdfError };

const OPENING: State = { step: 'opening', loaded: 0, total: 0 };

export function PdfSurface(props: PlayerProps) {
  const { title, poster, tracker, onDownload } = props;
  const { state, address, retry } = usePdf(props);
  useRenewal(props.renew, address);
  // A document that was lost opens again at its last page.
  const lastPage = useRef(props.startAt);
  const [startAt, setStartAt] = useState(props.startAt);
  const onRetry = () => {
    setStartAt(lastPage.current);
    retry();
  };
  const retries = state.step === 'failed' && state.error === 'unreachable';
  const download = props.downloadable === false ? null : downloadAddress(address);
  if (state.step === 'opening') return <Opening loaded={state.loaded} total={state.total} poster={poster} />;
  if (state.step === 'open') {
    return (
      <PdfReader
        file={state.file}
        title={title}
        download={download}
        onDownload={onDownload}
        tracker={tracker}
        startAt={startAt}
        onPlace={(place) => {
          lastPage.current = place.position;
          props.onPlace?.(place);
        }}
      />
    );
  }
  return (
    <div className={card.card} role="alert">
      <FileIcon />
      <p className={card.name}>{props.file?.name || title}</p>
      <p className={card.meta}>{pdfTexts.errors[state.error]}</p>
      <div className={classes.ways}>
        {retries && (
          <button type="button" className={card.button} onClick={onRetry}>
            {playerTexts.retry}
          </button>
        )}
        {download === null ? null : (
          <a
            className={`${card.button} ${retries ? card.second : ''}`}
            href={download}
            download={props.file?.name ?? ''}
            onClick={onDownload}
          >
            {playerTexts.download}
          </a>
        )}
      </div>
    </div>
  );
}

/** Reads the URL when the document opens and again on Retry, like every player surface. */
function usePdf({ src, file, renew }: PlayerProps) {
  const [address, setAddress] = useState(src);
  const [attempt, setAttempt] = useState(0);
  const [state, setState] = useState<State>(OPENING);
  const open = useEffectEvent(() =>
    openPdf({
      address,
      size: file?.size,
      renew,
      onProgress: (loaded, total) =>
        setState((before) => (before.step === 'opening' ? { step: 'opening', loaded, total } : before)),
      onLost: () => setState({ step: 'failed', error: 'unreachable' }),
    }),
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: each attempt restarts with the same URL.
  useEffect(() => {
    let over = false;
    const opening = open();
    opening.file.then(
      (opened) => {
        if (!over) setState({ step: 'open', file: opened });
      },
      (error: unknown) => {
        if (!over) setState({ step: 'failed', error: pdfErrorOf(error) });
      },
    );
    return () => {
      over = true;
      opening.close();
    };
  }, [address, attempt]);
  const retry = () => {
    setState(OPENING);
    setAddress(src);
    setAttempt((before) => before + 1);
  };
  return { state, address, retry };
}

function Opening({ loaded, total, poster }: { loaded: number; total: number; poster: string | undefined }) {
  const words = total === 0 ? pdfTexts.loading : pdfTexts.loaded(formatBytes(loaded), formatBytes(total));
  return (
    <div className={classes.reader} aria-busy="true">
      <div className={classes.toolbar}>
        <p className={classes.count}>{words}</p>
        <progress
          className={classes.progress}
          aria-label={pdfTexts.loadingDocument}
          {...(total === 0 ? {} : { value: loaded, max: total })}
        />
      </div>
      <div className={classes.scroller}>{poster ? <img className={classes.still} src={poster} alt="" /> : null}</div>
    </div>
  );
}
