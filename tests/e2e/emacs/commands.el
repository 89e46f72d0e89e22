;;; commands.el --- which of the commands that the page names there are  -*- lexical-binding: t -*-

(load (expand-file-name "editor.el" (file-name-directory load-file-name)) nil t)

(run-scenario
 (lambda ()
   (require 'eglot)
   (see 'missing
        (vconcat (cl-remove-if (lambda (name) (commandp (intern-soft name)))
                               (split-string (getenv "ASSAY_TEST_COMMANDS")))))))
