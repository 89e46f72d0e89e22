;;; session.el --- read the finding, look at the evidence, suppress it, save, stop  -*- lexical-binding: t -*-

(load (expand-file-name "editor.el" (file-name-directory load-file-name)) nil t)

(defun see-diagnostics ()
  (see 'diagnostics
       (vconcat
        (mapcar (lambda (found)
                  `((line . ,(1- (line-number-at-pos (flymake-diagnostic-beg found))))
                    (type . ,(format "%s" (flymake-diagnostic-type found)))
                    (text . ,(flymake-diagnostic-text found))))
                (diagnostics))))
  (goto-char (flymake-diagnostic-beg (car (diagnostics)))))

(defun eldoc-text ()
  "Give what ElDoc shows in its buffer, if it has one yet."
  (let ((buffer (cl-find-if (lambda (buffer) (string-prefix-p "*eldoc" (buffer-name buffer))) (buffer-list))))
    (if buffer (with-current-buffer buffer (buffer-substring-no-properties (point-min) (point-max))) "")))

(defun see-hover ()
  (eldoc t)
  (see 'hover
       (wait-for "the text on the finding"
                 (lambda () (and (string-match-p "Why:" (eldoc-text)) (eldoc-text))))))

(defun choose (start)
  "Run the code action whose title begins with START, and give the titles of all that were offered."
  (let ((last-nonmenu-event ?\r) ; chosen with a key, not with the mouse
        offered)
    (cl-letf (((symbol-function 'completing-read)
               (lambda (_prompt choices &rest _)
                 (setq offered (mapcar #'car choices))
                 (cl-find-if (lambda (title) (string-prefix-p start title)) offered))))
      (call-interactively #'eglot-code-actions))
    (vconcat offered)))

(defun explain ()
  (choose "Explain")
  (see 'explained
       (wait-for "the rule's summary"
                 (lambda ()
                   (with-current-buffer (messages-buffer)
                     (goto-char (point-min))
                     (and (search-forward "https://" nil t)
                          (buffer-substring-no-properties (line-beginning-position) (line-end-position))))))))

(defun suppress ()
  (see 'offered (choose "Suppress"))
  (save-buffer) ; in batch mode Emacs is never idle, and Eglot sends changes when it is, or on saving
  (wait-for "the suppressed finding to go away" (lambda () (flymake-start) (null (flymake-diagnostics)))))

(run-scenario
 (lambda ()
   (let ((server (open-file "racy.c")))
     (see-diagnostics)
     (see-hover)
     (save-excursion (explain))
     (suppress)
     (eglot-shutdown server)
     (see 'stopped (not (jsonrpc-running-p server))))))
