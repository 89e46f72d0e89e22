;;; editor.el --- what every scenario does: start, wait, and write down what was seen  -*- lexical-binding: t -*-

(require 'cl-lib)
(require 'json)
(require 'flymake)

(defvar seen nil "What the scenario saw, as an alist that becomes a JSON object.")

(defun see (name value)
  "Write down VALUE under NAME."
  (push (cons name value) seen))

(defun wait-for (what condition)
  "Wait until CONDITION gives something and give it back; fail with WHAT when it never does."
  (let ((deadline (+ (float-time) 30)) value)
    (while (not (setq value (funcall condition)))
      (when (> (float-time) deadline)
        (error "Waited in vain for %s" what))
      (accept-process-output nil 0.05)
      (sit-for 0.02)) ; lets timers run
    value))

(defun open-file (name)
  "Visit NAME as a command would, and wait until Eglot manages it."
  (switch-to-buffer (find-file-noselect name))
  (run-hooks 'post-command-hook)
  (wait-for "the server" (lambda () (eglot-current-server))))

(defun diagnostics ()
  "Wait for diagnostics in this buffer."
  (wait-for "diagnostics" (lambda () (flymake-start) (flymake-diagnostics))))

(defun run-scenario (scenario)
  "Run SCENARIO and write what it saw, and how it failed if it did, as JSON."
  (condition-case problem
      (funcall scenario)
    (error (see 'problem (error-message-string problem))))
  (with-temp-file (getenv "ASSAY_TEST_SEEN")
    (insert (json-encode (nreverse seen)))))

(load (getenv "ASSAY_TEST_SETUP") nil t)
