;;; settings.el --- what is shown under the settings of the folder  -*- lexical-binding: t -*-

(load (expand-file-name "editor.el" (file-name-directory load-file-name)) nil t)

(run-scenario
 (lambda ()
   (let ((server (open-file "racy.c")))
     (see 'diagnostics (vconcat (mapcar #'flymake-diagnostic-text (diagnostics))))
     (eglot-shutdown server))))
